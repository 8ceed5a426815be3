/** What begins and ends with a subscription, in SQL: outages that already go on, and what waits for the person. */
import type { Kysely } from 'kysely';
import { outageCause } from '../../domain/notifications/notifications.ts';
import type { MemberRef } from '../../domain/people/panel.ts';
import type { ChangeInput } from '../changes.ts';
import type { Tables } from '../engine/schema.ts';
import type { Tx } from '../engine/transaction.ts';

type NewSubscription = ChangeInput<'notifications/subscribe'>;

/** Returns when the device was last seen, if it is offline for long enough and the person has no outage of it. */
async function findOutage(
  { db, now }: Tx,
  { accountId, memberId, agentId, minutes }: NewSubscription,
): Promise<number | undefined> {
  const known = db
    .selectFrom('notification_item as item')
    .select('item.cause')
    .where('item.account_id', '=', accountId)
    .where('item.member_id', '=', memberId)
    .where('item.agent_id', '=', agentId)
    .where('item.open', '=', 1);
  const device = await db
    .selectFrom('presence')
    .select('seen_time')
    .where('account_id', '=', accountId)
    .where('agent_id', '=', agentId)
    .where('lease_until', '<=', now)
    .where('seen_time', '<=', now - minutes * 60)
    .where((eb) => eb.not(eb.exists(known)))
    .executeTakeFirst();
  return device?.seen_time;
}

/** A device that is offline already is reported when it is back, to a person who subscribes to this device. */
export async function openOutage(tx: Tx, subscription: NewSubscription): Promise<void> {
  const { accountId, memberId, agentId, kinds } = subscription;
  if (agentId === null || !kinds.includes('back')) return;
  const time = await findOutage(tx, subscription);
  if (time === undefined) return;
  await tx.db
    .insertInto('notification_item')
    .values({
      account_id: accountId,
      member_id: memberId,
      cause: outageCause(agentId, time),
      kind: 'offline',
      agent_id: agentId,
      invitation_id: null,
      session_id: null,
      time,
      due_time: time,
      notification_id: null,
      told_time: time,
      back_time: null,
      open: 1,
    })
    .onConflict((conflict) => conflict.columns(['member_id', 'cause']).doUpdateSet({ open: 1 }))
    .execute();
}

/** Forgets what waits and goes on, so that a person who subscribes again much later is not notified of it. */
export async function forgetItems(db: Kysely<Tables>, { accountId, memberId }: MemberRef): Promise<void> {
  await db
    .deleteFrom('notification_item')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('told_time', 'is', null)
    .execute();
  await db
    .updateTable('notification_item')
    .set({ open: 0, back_time: null })
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('open', '=', 1)
    .execute();
}
