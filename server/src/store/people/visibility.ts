/** What decides who is notified of a change, in SQL: groups of devices, creators of invitations, and panel sessions. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { AgentRef } from '../../domain/people/access.ts';
import type { Reader } from '../engine/database.ts';
import { prepared } from '../engine/prepared.ts';
import { rightsVersionAt } from './account-versions.ts';
import { hasIdIn } from './scope.ts';
import type { Tables } from '../engine/schema.ts';
import type { ObjectRef } from '../records.ts';
import type { VisibilityReads } from './panel-records.ts';

/** The number of devices that are read before yielding to the event loop. */
const batchSize = 2_000;

interface AgentRefRow {
  id: number;
  group_id: number | null;
}

const selectAgentRefs = (db: Kysely<Tables>, accountId: number) =>
  db.selectFrom('agent').select(['agent.id', 'agent.group_id']).where('agent.account_id', '=', accountId);

const batchOfAll = prepared<{ accountId: number; after: number }, AgentRefRow>((db, parameter) =>
  selectAgentRefs(db, parameter('accountId'))
    .where('agent.id', '>', parameter('after'))
    .orderBy('agent.id')
    .limit(batchSize),
);

const toAgentRef = ({ id, group_id: groupId }: AgentRefRow): AgentRef => ({ id, groupId });

async function allAgentRefs(db: Kysely<Tables>, accountId: number): Promise<AgentRef[]> {
  const found: AgentRef[] = [];
  for (;;) {
    const rows = await batchOfAll(db, { accountId, after: found.at(-1)?.id ?? 0 });
    for (const row of rows) found.push(toAgentRef(row));
    if (rows.length < batchSize) return found;
    await yieldToEventLoop();
  }
}

async function findAgentRefs(
  db: Kysely<Tables>,
  accountId: number,
  ids: readonly number[] | undefined,
): Promise<AgentRef[]> {
  if (ids === undefined || ids.length > batchSize) return allAgentRefs(db, accountId);
  const rows = await selectAgentRefs(db, accountId).where(hasIdIn('agent.id', ids)).execute();
  return rows.map(toAgentRef);
}

async function sessionTargets(db: Kysely<Tables>, accountId: number, ids: readonly number[]) {
  const rows = await db
    .selectFrom('session')
    .leftJoin('agent', 'agent.id', 'session.agent_id')
    .select([
      'session.id',
      'session.invitation_id',
      'session.begun',
      'agent.id as agent_id',
      'agent.group_id',
    ])
    .where('session.account_id', '=', accountId)
    .where(hasIdIn('session.id', ids))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    begun: row.begun === 1,
    invitationId: row.invitation_id,
    agent: row.agent_id === null ? null : { id: row.agent_id, groupId: row.group_id },
  }));
}

const invitationOwners = (db: Kysely<Tables>, accountId: number, ids: readonly number[]) =>
  db
    .selectFrom('invitation')
    .select(['id', 'member_id as memberId'])
    .where('account_id', '=', accountId)
    .where(hasIdIn('id', ids))
    .execute();

const lapsedBetween = (db: Kysely<Tables>, since: number, until: number): Promise<ObjectRef[]> =>
  db
    .selectFrom('presence')
    .select(['account_id as accountId', 'agent_id as id'])
    .where('lease_until', '>', since)
    .where('lease_until', '<=', until)
    .whereRef('lease_until', '>', 'seen_time')
    .execute();

async function findSignedIn(db: Kysely<Tables>, ids: readonly number[], now: number) {
  const rows = await db
    .selectFrom('panel_session as session')
    .innerJoin('account', 'account.account_id', 'session.account_id')
    .select(['session.id', 'session.create_time', 'session.seen_time', 'session.fresh_time'])
    .select(rightsVersionAt(now).as('rights_version'))
    .where(hasIdIn('session.id', ids))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createTime: row.create_time,
    seenTime: row.seen_time,
    freshTime: row.fresh_time,
    rightsVersion: row.rights_version,
  }));
}

export const visibilityReads = (reader: Reader, now: () => number): VisibilityReads => ({
  agentRefs: (accountId, ids) => findAgentRefs(reader(accountId), accountId, ids),
  invitations: (accountId, ids) => invitationOwners(reader(accountId), accountId, ids),
  sessions: (accountId, ids) => sessionTargets(reader(accountId), accountId, ids),
  lapsed: (since, until) => lapsedBetween(reader('all'), since, until),
  signedIn: (ids) => findSignedIn(reader('all'), ids, now()),
});
