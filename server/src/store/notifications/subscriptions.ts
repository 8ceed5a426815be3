/** Subscriptions and settings of notifications, in SQL. */
import { notificationKinds, type NotificationKind } from '@drawbridge/contract/choices';
import { fault } from '@drawbridge/contract/faults';
import type { Kysely, Selectable } from 'kysely';
import { maxSubscriptions, type Subscription } from '../../domain/notifications/notifications.ts';
import type { MemberRef } from '../../domain/people/panel.ts';
import type { ChangeInput } from '../changes.ts';
import type { Flag, Tables } from '../engine/schema.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import type { NamedSubscription } from './notification-records.ts';
import { forgetItems, openOutage } from './subscription-items.ts';

/** Names the device or group of a subscription. */
export const subscriptionTarget = ({ agentId, groupId }: Pick<Subscription, 'agentId' | 'groupId'>): string =>
  agentId === null ? (groupId === null ? 'all' : `group ${groupId}`) : `agent ${agentId}`;

const flagsOf = (kinds: readonly NotificationKind[]): Record<NotificationKind, Flag> => {
  const flag = (kind: NotificationKind): Flag => (kinds.includes(kind) ? 1 : 0);
  return {
    offline: flag('offline'),
    back: flag('back'),
    new_device: flag('new_device'),
    session_began: flag('session_began'),
    client_waits: flag('client_waits'),
  };
};

export const toSubscription = (row: Selectable<Tables['notification_subscription']>): Subscription => ({
  id: row.id,
  memberId: row.member_id,
  agentId: row.agent_id,
  groupId: row.group_id,
  kinds: notificationKinds.filter((kind) => row[kind] === 1),
  minutes: row.minutes,
  since: row.since_time,
});

const subscriptionsOf = (db: Kysely<Tables>, { accountId, memberId }: MemberRef) =>
  db
    .selectFrom('notification_subscription as subscription')
    .where('subscription.account_id', '=', accountId)
    .where('subscription.member_id', '=', memberId);

export async function namedSubscriptions(
  db: Kysely<Tables>,
  memberRef: MemberRef,
): Promise<NamedSubscription[]> {
  const rows = await subscriptionsOf(db, memberRef)
    .leftJoin('agent', 'agent.id', 'subscription.agent_id')
    .leftJoin('agent_group as group', 'group.id', 'subscription.group_id')
    .selectAll('subscription')
    .select(['agent.name as agent_name', 'agent.group_id as device_group_id', 'group.name as group_name'])
    .orderBy('subscription.id')
    .execute();
  return rows.map((row) => ({
    ...toSubscription(row),
    name: row.agent_name ?? row.group_name ?? '',
    deviceGroupId: row.device_group_id,
  }));
}

/** Whether the device or group that is to be subscribed to belongs to the account. */
async function targetExists(
  db: Kysely<Tables>,
  { accountId, agentId, groupId }: ChangeInput<'notifications/subscribe'>,
): Promise<boolean> {
  if (agentId === null && groupId === null) return true;
  const [table, id] = agentId === null ? (['agent_group', groupId!] as const) : (['agent', agentId] as const);
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the person's row, so that two requests at once do not exceed the limit. */
const lockMember = (db: Kysely<Tables>, { accountId, memberId }: MemberRef) =>
  db
    .updateTable('member')
    .set((eb) => ({ owner: eb.ref('owner') }))
    .where('account_id', '=', accountId)
    .where('id', '=', memberId)
    .returning('id')
    .executeTakeFirst();

const tooMany = fault('invalid', {
  code: 'too_many_subscriptions',
  message: `You have ${maxSubscriptions} subscriptions, which is the most a person can have. End one first, or subscribe to a group.`,
});

type ChangeNames = 'subscribe' | 'unsubscribe' | 'settings';

export const subscriptionChanges: ChangesOf<`notifications/${ChangeNames}`> = {
  'notifications/subscribe': async function (tx, input) {
    const { db, now } = tx;
    if (!(await lockMember(db, input)) || !(await targetExists(db, input))) return fault('not_found');
    const { accountId, memberId, agentId, groupId, kinds, minutes } = input;
    const values = { ...flagsOf(kinds), minutes, since_time: now };
    const target = subscriptionTarget(input);
    const known = await subscriptionsOf(db, input)
      .select(['subscription.id', 'subscription.target'])
      .execute();
    if (known.length >= maxSubscriptions && !known.some((each) => each.target === target)) return tooMany;
    await openOutage(tx, input);
    return db
      .insertInto('notification_subscription')
      .values({
        account_id: accountId,
        member_id: memberId,
        agent_id: agentId,
        group_id: groupId,
        target,
        ...values,
      })
      .onConflict((conflict) => conflict.columns(['member_id', 'target']).doUpdateSet(values))
      .returning('id')
      .executeTakeFirstOrThrow();
  },

  'notifications/unsubscribe': async function ({ db }, { accountId, memberId, id }) {
    const row = await db
      .deleteFrom('notification_subscription')
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) return fault('not_found', { field: 'id' });
    const left = await subscriptionsOf(db, { accountId, memberId })
      .select('subscription.id')
      .executeTakeFirst();
    if (!left) await forgetItems(db, { accountId, memberId });
    return {};
  },

  'notifications/settings': async function ({ db }, { accountId, memberId, mail }) {
    const text = JSON.stringify(mail);
    await db
      .insertInto('notification_settings')
      .values({ account_id: accountId, member_id: memberId, mail: text })
      .onConflict((conflict) => conflict.column('member_id').doUpdateSet({ mail: text }))
      .execute();
    return {};
  },
};
