/** What the evaluation of notifications reads, in SQL: subscriptions, devices that are offline, and items that wait. */
import type { NotificationKind } from '@drawbridge/contract/choices';
import type { Kysely } from 'kysely';
import type { AgentRef } from '../../domain/people/access.ts';
import type { TimeWindow } from '../../domain/notifications/notifications.ts';
import type { MemberRef } from '../../domain/people/panel.ts';
import type { Reader } from '../engine/database.ts';
import type { Tables } from '../engine/schema.ts';
import { hasIdIn } from '../people/scope.ts';
import type {
  LapsedDevice,
  NotificationCause,
  NotificationReads,
  ReturnedDevice,
  WaitingItem,
  WaitingKind,
} from './notification-records.ts';
import { toSubscription } from './subscriptions.ts';

/** The most items that are read at once; the others follow in the next round. */
const maxItems = 20_000;

async function minutes(db: Kysely<Tables>): Promise<number[]> {
  const rows = await db.selectFrom('notification_subscription').select('minutes').distinct().execute();
  return rows.map((row) => row.minutes);
}

const lapsed = async (
  db: Kysely<Tables>,
  windows: readonly TimeWindow[],
  now: number,
): Promise<LapsedDevice[]> =>
  windows.length === 0
    ? []
    : db
        .selectFrom('presence')
        .innerJoin('agent', 'agent.id', 'presence.agent_id')
        .select(['agent.id', 'agent.account_id as accountId', 'agent.group_id as groupId'])
        .select('presence.seen_time as seenTime')
        .where('presence.lease_until', '<=', now)
        .where((eb) =>
          eb.or(
            windows.map(({ after, until }) =>
              eb.and([eb('presence.seen_time', '>', after), eb('presence.seen_time', '<=', until)]),
            ),
          ),
        )
        .where('presence.account_id', 'in', (eb) =>
          eb
            .selectFrom('notification_subscription as subscription')
            .select('subscription.account_id')
            .where((or) => or.or([or('subscription.offline', '=', 1), or('subscription.back', '=', 1)])),
        )
        .execute();

async function causes(db: Kysely<Tables>, limit: number): Promise<NotificationCause[]> {
  const rows = await db
    .selectFrom('notification_cause as cause')
    .leftJoin('agent', 'agent.id', 'cause.agent_id')
    .leftJoin('invitation', 'invitation.id', 'cause.invitation_id')
    .leftJoin('session', 'session.id', 'cause.session_id')
    .select(['cause.id', 'cause.account_id', 'cause.kind', 'cause.time', 'cause.agent_id', 'agent.group_id'])
    .select(['cause.invitation_id', 'invitation.member_id as creator'])
    .select(['cause.session_id', 'session.member_id as operator'])
    .orderBy('cause.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    kind: row.kind as NotificationKind,
    time: row.time,
    agent: toAgentRef(row),
    invitation: row.invitation_id === null ? null : { id: row.invitation_id, creator: row.creator },
    session: row.session_id === null ? null : { id: row.session_id, memberId: row.operator },
  }));
}

const toAgentRef = (row: { agent_id: number | null; group_id: number | null }): AgentRef | null =>
  row.agent_id === null ? null : { id: row.agent_id, groupId: row.group_id };

async function outages(db: Kysely<Tables>, accountId: number, agentIds: readonly number[]) {
  const rows = await db
    .selectFrom('notification_item')
    .select(['member_id', 'agent_id', 'open', 'told_time'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'offline')
    .where('told_time', 'is not', null)
    .where(hasIdIn('agent_id', agentIds))
    .execute();
  return rows.map((row) => ({
    memberId: row.member_id,
    agentId: row.agent_id!,
    open: row.open === 1,
    toldTime: row.told_time!,
  }));
}

const selectItems = (db: Kysely<Tables>) =>
  db
    .selectFrom('notification_item as item')
    .leftJoin('agent', 'agent.id', 'item.agent_id')
    .leftJoin('presence', 'presence.agent_id', 'item.agent_id')
    .leftJoin('invitation', 'invitation.id', 'item.invitation_id')
    .selectAll('item')
    .select(['agent.group_id', 'presence.lease_until', 'presence.seen_time'])
    .select(['invitation.member_id as creator', 'invitation.status'])
    .limit(maxItems);

async function returned(db: Kysely<Tables>, until: number, now: number): Promise<ReturnedDevice[]> {
  const rows = await selectItems(db)
    .where('item.back_time', '<=', until)
    .where('item.open', '=', 1)
    .where('item.told_time', 'is not', null)
    .orderBy('item.back_time')
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    memberId: row.member_id,
    cause: row.cause,
    id: row.agent_id!,
    groupId: row.group_id,
    time: row.time,
    online: (row.lease_until ?? 0) > now,
  }));
}

async function waiting(db: Kysely<Tables>, now: number): Promise<WaitingKind[]> {
  const rows = await db
    .selectFrom('notification_item')
    .select(['account_id', 'member_id', 'kind'])
    .select(({ fn }) => [fn.min('due_time').as('oldest'), fn.max('due_time').as('newest')])
    .where('told_time', 'is', null)
    .where('due_time', '<=', now)
    .groupBy(['account_id', 'member_id', 'kind'])
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    memberId: row.member_id,
    kind: row.kind as NotificationKind,
    oldest: Number(row.oldest),
    newest: Number(row.newest),
  }));
}

async function waitingItems(
  db: Kysely<Tables>,
  { accountId, memberId, kind }: Parameters<NotificationReads['waitingItems']>[0],
  now: number,
): Promise<WaitingItem[]> {
  const rows = await selectItems(db)
    .where('item.account_id', '=', accountId)
    .where('item.member_id', '=', memberId)
    .where('item.kind', '=', kind)
    .where('item.told_time', 'is', null)
    .where('item.due_time', '<=', now)
    .orderBy('item.cause')
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    memberId: row.member_id,
    cause: row.cause,
    kind: row.kind as NotificationKind,
    time: row.time,
    dueTime: row.due_time,
    agent: toAgentRef(row),
    online: (row.lease_until ?? 0) > now,
    seenTime: row.seen_time ?? 0,
    invitation: row.invitation_id === null ? null : { creator: row.creator, waits: row.status === 1 },
  }));
}

async function sentSince(db: Kysely<Tables>, { accountId, memberId }: MemberRef, time: number) {
  const rows = await db
    .selectFrom('notification')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('time', '>', time)
    .groupBy('kind')
    .execute();
  return new Map(rows.map((row) => [row.kind as NotificationKind, Number(row.count)]));
}

type EvaluationReads = Pick<
  NotificationReads,
  | 'minutes'
  | 'lapsed'
  | 'causes'
  | 'ofAccount'
  | 'outages'
  | 'returned'
  | 'waiting'
  | 'waitingItems'
  | 'hasMail'
  | 'sentSince'
>;

export const evaluationReads = (reader: Reader): EvaluationReads => ({
  minutes: () => minutes(reader('all')),
  lapsed: (windows, now) => lapsed(reader('all'), windows, now),
  causes: (limit) => causes(reader('all'), limit),
  outages: (accountId, agentIds) => outages(reader(accountId), accountId, agentIds),
  returned: (until, now) => returned(reader('all'), until, now),
  waiting: (now) => waiting(reader('all'), now),
  waitingItems: (which, now) => waitingItems(reader(which.accountId), which, now),
  sentSince: (memberRef, time) => sentSince(reader(memberRef.accountId), memberRef, time),

  async ofAccount(accountId) {
    const rows = await reader(accountId)
      .selectFrom('notification_subscription')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();
    return rows.map(toSubscription);
  },

  async hasMail(now) {
    const row = await reader('all')
      .selectFrom('notification')
      .select('id')
      .where('mail_time', '<=', now)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },
});
