/** Reads of requests for access, in SQL. */
import type { Permission } from '@drawbridge/contract/permissions';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import {
  requestStateAt,
  type AccessRequestRecord,
  type AccessRequestSettings,
  type RequestState,
} from '../../../domain/people/access-requests.ts';
import type { Reader } from '../../engine/database.ts';
import type { Tables } from '../../engine/schema.ts';
import type { Tx } from '../../engine/transaction.ts';
import type { RequestReads } from './request-records.ts';

export async function requestSettings(db: Kysely<Tables>, accountId: number): Promise<AccessRequestSettings> {
  const row = await db
    .selectFrom('account')
    .select(['request_minutes', 'emergency_access'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { maxMinutes: row.request_minutes, emergency: row.emergency_access === 1 };
}

/** True for requests in this state at this time, as `requestStateAt` derives it. */
function isInState(state: RequestState, now: number): RawBuilder<SqlBool> {
  if (state === 'expired') return sql`(request.state = 'waiting' and request.expire_time <= ${now})`;
  if (state === 'waiting') return sql`(request.state = 'waiting' and request.expire_time > ${now})`;
  if (state === 'approved') return sql`(request.state = 'approved' and request.until_time > ${now})`;
  if (state === 'ended')
    return sql`(request.state = 'ended' or (request.state = 'approved' and request.until_time <= ${now}))`;
  return sql`request.state = ${state}`;
}

function selectRequests(
  { db, now }: Tx,
  accountId: number,
  {
    memberId,
    exceptMemberId,
    state,
    emergency,
  }: Pick<Parameters<RequestReads['list']>[1], 'memberId' | 'exceptMemberId' | 'state' | 'emergency'>,
) {
  let query = db.selectFrom('access_request as request').where('request.account_id', '=', accountId);
  if (memberId !== undefined) query = query.where('request.member_id', '=', memberId);
  if (exceptMemberId !== undefined) query = query.where('request.member_id', '<>', exceptMemberId);
  if (state !== undefined) query = query.where(isInState(state, now));
  if (emergency !== undefined) query = query.where('request.emergency', '=', emergency ? 1 : 0);
  return query;
}

const withNames = (query: ReturnType<typeof selectRequests>) =>
  query
    .innerJoin('member', 'member.id', 'request.member_id')
    .innerJoin('role', 'role.id', 'request.role_id')
    .leftJoin('agent', 'agent.id', 'request.agent_id')
    .leftJoin('agent_group as group', 'group.id', 'request.group_id')
    .leftJoin('member as decider', 'decider.id', 'request.decided_by')
    .selectAll('request')
    .select(['member.email', 'role.name as role', 'role.permissions as permitted', 'agent.name as agent'])
    .select(['group.name as group', 'decider.email as decider']);

type RequestRow = Awaited<ReturnType<ReturnType<typeof withNames>['executeTakeFirstOrThrow']>>;

const toRecord = (row: RequestRow, now: number): AccessRequestRecord => ({
  id: row.id,
  state: requestStateAt({ state: row.state, expireTime: row.expire_time, until: row.until_time }, now),
  email: row.email,
  roleId: row.role_id,
  role: row.role,
  permissions: JSON.parse(row.permissions ?? row.permitted) as Permission[],
  agentId: row.agent_id,
  agent: row.agent,
  groupId: row.group_id,
  group: row.group,
  reason: row.reason,
  minutes: row.minutes,
  emergency: row.emergency === 1,
  createTime: row.create_time,
  expireTime: row.expire_time,
  decidedBy: row.decider,
  decideTime: row.decide_time,
  decision: row.decision,
  until: row.until_time,
});

/** A request with the names of everything in it. */
export async function requestRecord(
  tx: Tx,
  accountId: number,
  id: number,
): Promise<AccessRequestRecord | undefined> {
  const row = await withNames(selectRequests(tx, accountId, {}))
    .where('request.id', '=', id)
    .executeTakeFirst();
  return row && toRecord(row, tx.now);
}

export const requestReads = (reader: Reader, now: () => number): RequestReads => ({
  async list(accountId, { offset, limit, ...filter }) {
    const tx = { db: reader(accountId), now: now() };
    const found = selectRequests(tx, accountId, filter);
    const { count } = await found
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const rows = await withNames(found).orderBy('request.id', 'desc').limit(limit).offset(offset).execute();
    return { total: Number(count), requests: rows.map((row) => toRecord(row, tx.now)) };
  },

  settings: (accountId) => requestSettings(reader(accountId), accountId),

  async reason({ accountId, memberId }, { id, groupId }) {
    const row = await selectRequests({ db: reader(accountId), now: now() }, accountId, {
      memberId,
      state: 'approved',
    })
      .select('request.reason')
      .where((eb) =>
        eb.or([
          eb('request.agent_id', '=', id),
          ...(groupId === null ? [] : [eb('request.group_id', '=', groupId)]),
        ]),
      )
      .orderBy('request.id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.reason ?? '';
  },
});
