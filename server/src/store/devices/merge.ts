/** Merges a duplicate device into the one that stays, in SQL. */
import type { Kysely } from 'kysely';
import type { Tables } from '../engine/schema.ts';
import { subscriptionTarget } from '../notifications/subscriptions.ts';

export interface Merge {
  accountId: number;
  sourceId: number;
  targetId: number;
  /**
   * The person whose direct grants on the source are dropped: moving them could give that person more rights on the
   * target.
   */
  leaving?: number | undefined;
}

/** Moves everything of the source to the target and removes the source. The caller's transaction makes this atomic. */
export async function mergeAgents(db: Kysely<Tables>, merge: Merge): Promise<void> {
  const { accountId, sourceId, targetId } = merge;
  await moveGrants(db, merge);
  await moveSubscriptions(db, merge);
  for (const table of ['session', 'attached_file'] as const)
    await db
      .updateTable(table)
      .set({ agent_id: targetId })
      .where('account_id', '=', accountId)
      .where('agent_id', '=', sourceId)
      .execute();
  await mergeColumns(db, accountId, sourceId, targetId);
  await db.deleteFrom('agent').where('account_id', '=', accountId).where('id', '=', sourceId).execute();
}

/** Gives the target the grants it lacks; grants that it already has are deleted with the source. */
async function moveGrants(
  db: Kysely<Tables>,
  { accountId, sourceId, targetId, leaving = 0 }: Merge,
): Promise<void> {
  await db
    .insertInto('access_entry')
    .columns(['account_id', 'role_id', 'member_id', 'department_id', 'agent_id', 'until_time'])
    .expression((eb) =>
      eb
        .selectFrom('access_entry')
        .select(['account_id', 'role_id', 'member_id', 'department_id', eb.val(targetId).as('agent_id')])
        .select('until_time')
        .where('request_id', 'is', null)
        .where('account_id', '=', accountId)
        .where('agent_id', '=', sourceId)
        .where((where) => where.or([where('member_id', 'is', null), where('member_id', '<>', leaving)])),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Moves the subscriptions of people who have none to the target; the others are deleted with the source. */
async function moveSubscriptions(
  db: Kysely<Tables>,
  { accountId, sourceId, targetId }: Merge,
): Promise<void> {
  await db
    .updateTable('notification_subscription')
    .set({ agent_id: targetId, target: subscriptionTarget({ agentId: targetId, groupId: null }) })
    .where('account_id', '=', accountId)
    .where('agent_id', '=', sourceId)
    .where('member_id', 'not in', (eb) =>
      eb
        .selectFrom('notification_subscription as known')
        .select('known.member_id')
        .where('known.account_id', '=', accountId)
        .where('known.agent_id', '=', targetId),
    )
    .execute();
}

/** Keeps the earlier link time, both notes, the sum of the sessions and the later of the last sessions. */
async function mergeColumns(
  db: Kysely<Tables>,
  accountId: number,
  sourceId: number,
  targetId: number,
): Promise<void> {
  const pair = await db
    .selectFrom('agent')
    .select(['id', 'link_time', 'notes', 'sessions_total', 'last_session_id'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [sourceId, targetId])
    .execute();
  const lasts = pair.flatMap((agent) => (agent.last_session_id === null ? [] : [agent.last_session_id]));
  const target = pair.find((agent) => agent.id === targetId)!;
  const source = pair.find((agent) => agent.id === sourceId)!;
  await db
    .updateTable('agent')
    .set((eb) => ({
      link_time: Math.min(target.link_time, source.link_time),
      notes: [target.notes, source.notes].filter(Boolean).join('\n\n'),
      sessions_total: target.sessions_total + source.sessions_total,
      last_session_id: lasts.length === 0 ? null : Math.max(...lasts),
      revision: eb('revision', '+', 1),
    }))
    .where('account_id', '=', accountId)
    .where('id', '=', targetId)
    .execute();
}
