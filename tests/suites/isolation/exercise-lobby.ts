/** What clients of invitations, who have no key, make the store do: each change and read once. */
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';

export async function exerciseLobby(
  store: Store,
  { accountId, memberId }: { accountId: number; memberId: number },
  { id, invite_code: code }: { id: number; invite_code: string },
): Promise<void> {
  const client = { key: 'key', os: 'win', preview: 'p', until: store.now(), lifetime: 86_400 } as const;
  await must(store, 'invitations/join', { code, ...client });
  await store.change('invitations/renew', { clients: [{ id, key: 'key' }], until: store.now() });
  await store.invitations.holders([id]);
  await store.invitations.hasLapsed(store.now());
  await store.invitations.byPreview(id, '-');
  const link = { memberId, invitationId: id, digest: '-', expireTime: 0 };
  await store.change('links/add-operator', { accountId, ...link });
  await store.change('invitations/leave', { accountId, id, key: 'key' });
}
