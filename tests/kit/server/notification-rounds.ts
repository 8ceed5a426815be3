/** Runs the evaluation of notifications against a store, with time that passes only when a test says so. */
import { randomUUID } from 'node:crypto';
import { createNotifier, type Notifier } from '@drawbridge/server/jobs/notifications/notifier';
import { notificationViewer } from '@drawbridge/server/domain/notifications/notifications';
import { notificationTitle } from '@drawbridge/server/domain/notifications/notification-text';
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from './account.ts';

/** Less than the time without a round after which the service counts as having been away. */
const step = 20;

export interface NotificationRounds {
  notifier: Notifier;
  /** Lets the time pass with a round every 20 seconds. */
  pass(seconds: number): Promise<void>;
  online(...ids: number[]): Promise<void>;
  offline(...ids: number[]): Promise<void>;
}

export function startRounds(
  store: Store,
  advance: (seconds: number) => void,
  notifier = createNotifier(store, randomUUID(), undefined),
): NotificationRounds {
  const node = randomUUID();
  return {
    notifier,
    async pass(seconds) {
      for (let left = seconds; left > 0; left -= step) {
        advance(Math.min(left, step));
        await notifier.run();
      }
    },
    // With a lease that no test outlives.
    online: async (...ids) =>
      void (await must(store, 'presence/renew', {
        node,
        agents: ids.map((id) => ({ id })),
        leaseUntil: store.now() + 86_400,
      })),
    offline: async (...ids) => void (await must(store, 'presence/end', { node, ids })),
  };
}

/** What a person is told now, oldest first. */
export async function titlesOf(store: Store, { accountId, memberId }: MemberRef): Promise<string[]> {
  const actor = await store.actors.byId(accountId, memberId);
  if (!actor) return [];
  const found = await store.notifications.list(notificationViewer(actor), { limit: 600 });
  return found.map(notificationTitle).toReversed();
}
