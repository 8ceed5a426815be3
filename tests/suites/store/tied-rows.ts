/** Rows that belong to a person and to something else, for the tests of what is removed together. */
import type { MemberRef } from '@drawbridge/server/domain/people/panel';
import { must } from '../../kit/server/account.ts';
import { unique, type StoreAccount, type StoreFixture } from './fixture.ts';

/** A provider with which the person signs in, and whose group belongs to the department. */
export async function addProvider(
  { store, sql }: Pick<StoreFixture, 'store' | 'sql'>,
  { accountId, owner, provider }: StoreAccount,
  { personId, department }: { personId: number; department: number },
): Promise<void> {
  const id = await provider();
  const group = { id, group: 'staff', departmentId: department };
  await must(store, 'providers/group-add', { accountId, by: owner.id, ...group });
  await sql(`insert into provider_identity (account_id, provider_id, member_id, subject, email, create_time, last_time)
             values (${accountId}, ${id}, ${personId}, 's', '', 1, 1)`);
  const logout = { jti: unique(), sid: 'a sign-in', subject: undefined };
  await must(store, 'providers/logout', { accountId, id, logout, rememberUntil: store.now() + 3_600 });
}

/** A token, a person and a department that an identity provider looks after. */
export async function addProvisioning(
  { sql }: Pick<StoreFixture, 'sql'>,
  { accountId, scimToken }: StoreAccount,
  { memberId, department }: { memberId: number; department: number },
): Promise<void> {
  await scimToken(memberId);
  const name = `'${unique()}'`;
  await sql(`insert into scim_user (account_id, member_id, user_name, user_name_folded, profile, removed, modify_time)
             values (${accountId}, ${memberId}, ${name}, ${name}, '{}', 0, 1)`);
  await sql(`insert into scim_group (account_id, department_id) values (${accountId}, ${department})`);
}

/** Subscriptions to a device and its group, and a notification about the device. */
export async function addNotification(
  { store, sql }: Pick<StoreFixture, 'store' | 'sql'>,
  { accountId, memberId }: MemberRef,
  { agentId, groupId }: { agentId: number; groupId: number },
): Promise<void> {
  const rule = { accountId, memberId, kinds: ['offline'], minutes: 5 } as const;
  await must(store, 'notifications/subscribe', { ...rule, agentId, groupId: null });
  await must(store, 'notifications/subscribe', { ...rule, agentId: null, groupId });
  await must(store, 'notifications/settings', { accountId, memberId, mail: [] });
  await sql(`insert into notification_cause (account_id, kind, agent_id, time)
             values (${accountId}, 'new_device', ${agentId}, 1)`);
  const [row] = await sql<{ id: number }>(`insert into notification (account_id, member_id, kind, time, total)
             values (${accountId}, ${memberId}, 'offline', 1, 1) returning id`);
  await sql(`insert into notification_item (account_id, member_id, cause, kind, agent_id, time, due_time, notification_id, told_time, open)
             values (${accountId}, ${memberId}, 'offline', 'offline', ${agentId}, 1, 1, ${row!.id}, 1, 0)`);
}
