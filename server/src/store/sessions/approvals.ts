/** Sessions that wait for a second person, in SQL. What is signed stays on the device; the store only knows that it waits. */
import type { Kysely } from 'kysely';
import type { Reader } from '../engine/database.ts';
import type { Tables } from '../engine/schema.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import { isInScope } from '../people/scope.ts';
import type { ApprovalReads } from './approval-records.ts';

type WaitingFilter = Parameters<ApprovalReads['waiting']>[1];

/** The device on which a session waits, or waited until now, for a second person. */
export const waitingOn = (
  row: { agent_id: number | null; approval_until: number } | undefined,
  now: number,
): number | null => (row && row.approval_until > now ? row.agent_id : null);

const setApprovalUntil = async (
  db: Kysely<Tables>,
  { accountId, id }: { accountId: number; id: number },
  until: number,
): Promise<{ agentId: number | null }> => {
  const row = await db
    .updateTable('session')
    .set({ approval_until: until })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('stop_time', 'is', null)
    .returning('agent_id')
    .executeTakeFirst();
  return { agentId: row?.agent_id ?? null };
};

export const approvalChanges: ChangesOf<'sessions/await-approval' | 'sessions/approve'> = {
  'sessions/await-approval': ({ db }, { until, ...session }) => setApprovalUntil(db, session, until),
  'sessions/approve': ({ db }, session) => setApprovalUntil(db, session, 0),
};

const selectWaiting = (
  db: Kysely<Tables>,
  accountId: number,
  { scope, exceptMemberId, now }: Omit<WaitingFilter, 'limit'> & { now: number },
) =>
  db
    .selectFrom('session')
    .innerJoin('agent', 'agent.id', 'session.agent_id')
    .where('session.account_id', '=', accountId)
    .where('session.approval_until', '>', now)
    .where('session.begun', '=', 1)
    .where('session.present', '=', 1)
    .where((eb) =>
      eb.or([eb('session.member_id', 'is', null), eb('session.member_id', '<>', exceptMemberId)]),
    )
    .where(isInScope(scope));

export const approvalReads = (reader: Reader, now: () => number): ApprovalReads => ({
  async waiting(accountId, { limit, ...filter }) {
    const query = selectWaiting(reader(accountId), accountId, { ...filter, now: now() });
    const { total } = await query
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    if (Number(total) === 0) return { total: 0, waiting: [] };
    const rows = await query
      .select(['session.id', 'session.login', 'session.reason', 'session.permissions', 'session.record'])
      .select(['session.approval_until', 'agent.id as agent_id', 'agent.name'])
      .orderBy('session.id', 'desc')
      .limit(limit)
      .execute();
    const waiting = rows.map((row) => ({
      sessionId: row.id,
      agentId: row.agent_id,
      device: row.name,
      login: row.login,
      reason: row.reason,
      permissions: JSON.parse(row.permissions) as string[],
      record: row.record === 1,
      until: row.approval_until,
    }));
    return { total: Number(total), waiting };
  },
});
