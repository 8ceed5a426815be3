/** What webhooks make the store do: everything that can be changed or read of them, once. */
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import { someWebhook } from '../store/fixture.ts';

export async function exerciseWebhooks(
  store: Store,
  { accountId, memberId }: MemberRef,
  agentId: number,
): Promise<void> {
  const { id } = await must(store, 'webhooks/create', someWebhook(accountId));
  await must(store, 'webhooks/update', { accountId, id, settings: { name: 'Other' } });
  await must(store, 'webhooks/renew', { accountId, id, secret: 'whsec_BBBB', oldUntil: store.now() });
  const role = { accountId, name: 'Told', type: 'agent', description: '' } as const;
  const { id: roleId } = await must(store, 'roles/create', { ...role, permissions: ['agent_chat'] });
  const wanted = { accountId, memberId, roleId, agentId, reason: 'why', minutes: 5 };
  await must(store, 'requests/create', wanted);
  await must(store, 'requests/create', wanted);
  await store.webhooks.hasDue(store.now());
  for (const problem of ['', 'refused'] as const) {
    const { claimed } = await must(store, 'webhooks/claim', { until: store.now() + 60, limit: 5 });
    for (const each of claimed) {
      await store.webhooks.delivery(accountId, each.id);
      await must(store, 'webhooks/settle', { ...each, answer: { problem, httpStatus: 200 } });
    }
  }
  await store.webhooks.list(accountId);
  await store.webhooks.target(accountId, id);
  await must(store, 'webhooks/update', { accountId, id, settings: { enabled: false } });
  await must(store, 'webhooks/remove', { accountId, id });
}
