/** Notifications in a full store. */
import { random } from '@drawbridge/server/edges/random';
import { createNotifier } from '@drawbridge/server/jobs/notifications/notifier';
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';

/** A subscription and a notification. The next device of the account is a cause that was not evaluated yet. */
export async function fillNotifications(store: Store, memberRef: MemberRef): Promise<void> {
  const all = { ...memberRef, agentId: null, groupId: null, minutes: 5 };
  await must(store, 'notifications/subscribe', { ...all, kinds: ['client_waits', 'new_device'] });
  await must(store, 'notifications/settings', { ...memberRef, mail: ['back'] });
  const code = random.digits(9);
  const invitation = { ...memberRef, clientName: 'Zoë', codes: [code], connectToken: random.token() };
  await must(store, 'invitations/create', invitation);
  const client = { code, key: 'k', os: '', preview: 'p', until: store.now() + 900, lifetime: 900 } as const;
  await must(store, 'invitations/join', client);
  const notifier = createNotifier(store, 'filling', undefined);
  await notifier.run();
  await notifier.close();
}
