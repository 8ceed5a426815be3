/** The evaluation of notifications in SQL: the claim of a process, items for people, and the messages they become. */
import type { Kysely } from 'kysely';
import { maxLinkedItems, maxNotifications } from '../../domain/notifications/notifications.ts';
import type { MemberRef } from '../../domain/people/panel.ts';
import type { ChangeInput, ChangeOutput } from '../changes.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangesOf, Tx } from '../engine/transaction.ts';
import type { ItemRef, NotificationItem } from './notification-records.ts';

/** How many rows one statement names, because databases limit the number of values in a statement. */
const batchSize = 1_000;

function* inBatches<Each>(all: readonly Each[]): Generator<Each[]> {
  for (let start = 0; start < all.length; start += batchSize) yield all.slice(start, start + batchSize);
}

/** Adds the items that do not exist yet. */
async function insertItems(db: Kysely<Tables>, items: readonly NotificationItem[]): Promise<void> {
  for (const batch of inBatches(items))
    await db
      .insertInto('notification_item')
      .values(
        batch.map((item) => ({
          account_id: item.accountId,
          member_id: item.memberId,
          cause: item.cause,
          kind: item.kind,
          agent_id: item.agentId,
          invitation_id: item.invitationId,
          session_id: item.sessionId,
          time: item.time,
          due_time: item.dueTime,
          notification_id: null,
          told_time: null,
          back_time: null,
          open: item.kind === 'offline' ? 1 : 0,
        })),
      )
      .onConflict((conflict) => conflict.columns(['member_id', 'cause']).doNothing())
      .execute();
}

/** Some of the items of one person. */
interface ItemsOfMember extends MemberRef {
  causes: readonly string[];
}

/** The items of each person, in batches. */
function* byMember(items: readonly ItemRef[]): Generator<ItemsOfMember> {
  for (const [memberId, own] of Map.groupBy(items, (item) => item.memberId))
    for (const batch of inBatches(own))
      yield { accountId: own[0]!.accountId, memberId, causes: batch.map(({ cause }) => cause) };
}

const updateItems = (db: Kysely<Tables>, { accountId, memberId, causes }: ItemsOfMember) =>
  db
    .updateTable('notification_item')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('cause', 'in', [...causes]);

/** Marks items as told, unless another process did; returns how many. */
async function markTold(
  { db, now }: Tx,
  { causes, ...memberRef }: ItemsOfMember,
  notificationId: number | null,
): Promise<number> {
  let count = 0;
  for (const batch of inBatches(causes)) {
    const { numUpdatedRows } = await updateItems(db, { ...memberRef, causes: batch })
      .where('told_time', 'is', null)
      .set({ told_time: now, notification_id: notificationId })
      .executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  return count;
}

type Message = ChangeInput<'notifications/tell'>['messages'][number];

/** Stores a message for the items that nobody told before; undefined if there are none. */
async function tellOne(
  tx: Tx,
  { accountId, memberId, kind, causes, mail }: Message,
): Promise<number | undefined> {
  const { db, now } = tx;
  const { id } = await db
    .insertInto('notification')
    .values({
      account_id: accountId,
      member_id: memberId,
      kind,
      time: now,
      total: 0,
      read_time: null,
      mail_time: mail ? now : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ofMember = (some: readonly string[]): ItemsOfMember => ({ accountId, memberId, causes: some });
  const linked = await markTold(tx, ofMember(causes.slice(0, maxLinkedItems)), id);
  const total = linked + (await markTold(tx, ofMember(causes.slice(maxLinkedItems)), null));
  if (linked > 0) {
    await db
      .updateTable('notification')
      .set({ total })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    return id;
  }
  await db.deleteFrom('notification').where('account_id', '=', accountId).where('id', '=', id).execute();
  return undefined;
}

/** Deletes the oldest notifications of a person beyond the limit. */
const trim = (db: Kysely<Tables>, { accountId, memberId }: MemberRef) =>
  db
    .deleteFrom('notification')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('id', '<=', (eb) =>
      eb
        .selectFrom('notification as kept')
        .select('kept.id')
        .where('kept.account_id', '=', accountId)
        .where('kept.member_id', '=', memberId)
        .orderBy('kept.id', 'desc')
        .offset(maxNotifications)
        .limit(1),
    )
    .execute();

async function tell(
  tx: Tx,
  { messages, silent, dropped }: ChangeInput<'notifications/tell'>,
): Promise<ChangeOutput<'notifications/tell'>> {
  const told: { accountId: number; memberId: number; id: number }[] = [];
  for (const message of messages) {
    const id = await tellOne(tx, message);
    if (id === undefined) continue;
    const memberRef = { accountId: message.accountId, memberId: message.memberId };
    told.push({ ...memberRef, id });
    await trim(tx.db, memberRef);
  }
  for (const items of byMember(silent)) await markTold(tx, items, null);
  for (const { accountId, memberId, causes } of byMember(dropped))
    await tx.db
      .deleteFrom('notification_item')
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .where('cause', 'in', [...causes])
      .where('told_time', 'is', null)
      .execute();
  return { told };
}

type ChangeNames = 'claim' | 'release' | 'record' | 'settle' | 'tell';

export const evaluationChanges: ChangesOf<`notifications/${ChangeNames}`> = {
  'notifications/claim': async function ({ db, now }, { node, leaseUntil }) {
    await db
      .insertInto('notification_round')
      .values({ number: 1, holder: '', lease_until: 0, evaluated: 0, gap_from: 0, gap_to: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // One statement decides which process evaluates.
    const row = await db
      .updateTable('notification_round')
      .set({ holder: node, lease_until: leaseUntil })
      .where((eb) => eb.or([eb('holder', '=', node), eb('lease_until', '<=', now)]))
      .returning(['evaluated', 'gap_from', 'gap_to'])
      .executeTakeFirst();
    if (!row) return { round: null };
    return {
      round: { from: row.evaluated, to: row.evaluated, gapFrom: row.gap_from, gapTo: row.gap_to },
    };
  },

  'notifications/release': async function ({ db }, { node }) {
    await db.updateTable('notification_round').set({ lease_until: 0 }).where('holder', '=', node).execute();
    return {};
  },

  'notifications/record': async function ({ db }, { node, round, leaseUntil, items, causeIds }) {
    const row = await db
      .updateTable('notification_round')
      .set({
        evaluated: round.to,
        gap_from: round.gapFrom,
        gap_to: round.gapTo,
        lease_until: leaseUntil,
      })
      .where('holder', '=', node)
      .returning('number')
      .executeTakeFirst();
    if (!row) return { recorded: false };
    await insertItems(db, items);
    for (const batch of inBatches(causeIds))
      await db.deleteFrom('notification_cause').where('id', 'in', batch).execute();
    return { recorded: true };
  },

  'notifications/settle': async function ({ db }, { until, ended, relapsed, items }) {
    const settle = (outages: ItemsOfMember) => updateItems(db, outages).where('back_time', '<=', until);
    for (const outages of byMember(ended)) await settle(outages).set({ open: 0, back_time: null }).execute();
    for (const outages of byMember(relapsed)) await settle(outages).set({ back_time: null }).execute();
    await insertItems(db, items);
    return {};
  },

  'notifications/tell': tell,
};
