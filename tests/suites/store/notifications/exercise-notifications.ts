/** What notifications make the store do, from a subscription to the message that is mailed and read. */
import { notificationViewer } from '@drawbridge/server/domain/notifications/notifications';
import { createNotifier } from '@drawbridge/server/jobs/notifications/notifier';
import { must, type TestAccount } from '../../../kit/server/account.ts';
import type { TestService } from '../../../kit/server/service.ts';
import { startRounds } from '../../../kit/server/notification-rounds.ts';

export async function exerciseNotifications(
  { server: { store }, advance }: TestService,
  account: TestAccount,
  agentId: number,
): Promise<void> {
  const memberRef = { accountId: account.id, memberId: account.owner.id };
  const rule = { ...memberRef, kinds: ['offline', 'back', 'new_device'], minutes: 1 } as const;
  await must(store, 'notifications/subscribe', { ...rule, agentId: null, groupId: null });
  const { id } = await must(store, 'notifications/subscribe', { ...rule, agentId, groupId: null });
  await must(store, 'notifications/settings', { ...memberRef, mail: ['offline'] });
  const mail = { send: async () => true, publicUrl: () => 'https://localhost' };
  const rounds = startRounds(store, advance, createNotifier(store, 'exercise', mail));
  await account.agent();
  await rounds.online(agentId);
  await rounds.pass(60);
  await rounds.offline(agentId);
  await rounds.pass(180);
  await rounds.online(agentId);
  await rounds.offline(agentId);
  await rounds.pass(80);
  await rounds.online(agentId);
  await rounds.pass(180);
  await rounds.offline(agentId);
  await rounds.pass(80);
  await rounds.online(agentId);
  await rounds.pass(1_800);
  await rounds.notifier.close();
  const actor = await store.actors.byId(memberRef.accountId, memberRef.memberId);
  const viewer = notificationViewer(actor!);
  const [newest] = await store.notifications.list(viewer, { before: 2 ** 52, limit: 5 });
  await store.notifications.unread(viewer);
  await must(store, 'notifications/read', { ...memberRef, upTo: newest!.id });
  await store.notifications.subscriptions(memberRef);
  await must(store, 'notifications/unsubscribe', { ...memberRef, id });
}
