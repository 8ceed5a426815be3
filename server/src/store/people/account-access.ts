/** Granted roles of a whole account in SQL: all of them, and those that apply to one device. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { RoleType } from '@drawbridge/contract/permissions';
import type { Kysely } from 'kysely';
import type { AgentScope, AgentRef } from '../../domain/people/access.ts';
import type { Tx } from '../engine/transaction.ts';
import { isGrantedAt, toGrant, type GrantRow } from './grant-rows.ts';
import type { Reader } from '../engine/database.ts';
import { fold } from '../../domain/text.ts';
import type { AccessReads, AccessEntryFilter, NamedActor } from './panel-records.ts';
import type { NamedAccessEntry } from '../records.ts';
import type { Flag, Tables } from '../engine/schema.ts';
import { isInScope } from './scope.ts';

/** The number of rows that are read before yielding to the event loop. */
const batchSize = 1_000;

/** Reads in batches, ordered by id. */
async function readInBatches<Row extends { id: number }>(
  read: (after: number) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (;;) {
    const rows = await read(found.at(-1)?.id ?? 0);
    for (const row of rows) found.push(row);
    if (rows.length < batchSize) return found;
    await yieldToEventLoop();
  }
}

function selectEntries({ db, now }: Tx, accountId: number, filter: AccessEntryFilter) {
  const { agentId, groupId, roleId, email, departmentId } = filter;
  let query = db
    .selectFrom('access_entry as entry')
    .innerJoin('role', 'role.id', 'entry.role_id')
    .leftJoin('member', 'member.id', 'entry.member_id')
    .leftJoin('department', 'department.id', 'entry.department_id')
    .leftJoin('agent', 'agent.id', 'entry.agent_id')
    .leftJoin('agent_group as group', 'group.id', 'entry.group_id')
    .select(['entry.id', 'entry.role_id', 'role.name as role', 'role.type', 'role.system'])
    .select(['member.email', 'member.name', 'entry.department_id', 'department.name as department'])
    .select(['entry.agent_id', 'agent.name as agent', 'entry.group_id', 'group.name as group'])
    .select('entry.until_time')
    .where('entry.account_id', '=', accountId)
    .where(isGrantedAt(now));
  if (agentId !== undefined) query = query.where('entry.agent_id', '=', agentId);
  if (groupId !== undefined) query = query.where('entry.group_id', '=', groupId);
  if (roleId !== undefined) query = query.where('entry.role_id', '=', roleId);
  if (email !== undefined) query = query.where('member.email_folded', '=', fold(email));
  if (departmentId !== undefined) query = query.where('entry.department_id', '=', departmentId);
  return query.orderBy('entry.id').limit(batchSize);
}

type EntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['executeTakeFirstOrThrow']>>;

const toEntry = (row: EntryRow): NamedAccessEntry => ({
  roleId: row.role_id,
  role: row.role,
  type: row.type as RoleType,
  system: row.system === 1,
  email: row.email,
  name: row.name,
  departmentId: row.department_id,
  department: row.department,
  agentId: row.agent_id,
  agent: row.agent,
  groupId: row.group_id,
  group: row.group,
  until: row.until_time,
});

interface HolderColumns {
  member_id: number;
  email: string;
  person_name: string;
  owner: Flag;
}

/** Grants on the device or its group, each with a person who holds it directly or through a department. */
async function grantsOn(
  { db, now }: Tx,
  accountId: number,
  { id, groupId }: AgentRef,
): Promise<(GrantRow & HolderColumns)[]> {
  const granted = db
    .selectFrom('access_entry as entry')
    .innerJoin('role', 'role.id', 'entry.role_id')
    .select(['entry.role_id', 'role.name', 'role.type', 'role.permissions'])
    .select(['entry.agent_id', 'entry.group_id', 'entry.department_id', 'entry.until_time'])
    .where('entry.account_id', '=', accountId)
    .where(isGrantedAt(now))
    .where((eb) =>
      eb.or([
        eb('entry.agent_id', '=', id),
        ...(groupId === null ? [] : [eb('entry.group_id', '=', groupId)]),
      ]),
    )
    .orderBy('entry.id');
  const person = [
    'member.id as member_id',
    'member.email',
    'member.name as person_name',
    'member.owner',
  ] as const;
  const direct = await granted.innerJoin('member', 'member.id', 'entry.member_id').select(person).execute();
  const shared = await granted
    .innerJoin('department_member as belongs', 'belongs.department_id', 'entry.department_id')
    .innerJoin('member', 'member.id', 'belongs.member_id')
    .select(person)
    .execute();
  return [...direct, ...shared];
}

async function holders(tx: Tx, accountId: number, agentRef: AgentRef): Promise<NamedActor[]> {
  const rows = await grantsOn(tx, accountId, agentRef);
  const owners = await tx.db
    .selectFrom('member')
    .select(['id as member_id', 'email', 'name as person_name', 'owner'])
    .where('account_id', '=', accountId)
    .where('owner', '=', 1)
    .execute();
  const people = new Map([...owners, ...rows].map((row): [number, HolderColumns] => [row.member_id, row]));
  const grants = Map.groupBy(rows, (row) => row.member_id);
  return [...people.values()]
    .toSorted((one, other) => one.member_id - other.member_id)
    .map(({ member_id: memberId, email, person_name: name, owner }) => ({
      accountId,
      memberId,
      email,
      name,
      owner: owner === 1,
      grants: (grants.get(memberId) ?? []).map(toGrant),
    }));
}

const selectNamedAgents = (db: Kysely<Tables>, accountId: number, scope: AgentScope, after: number) =>
  db
    .selectFrom('agent')
    .select(['agent.id', 'agent.name', 'agent.group_id as groupId'])
    .where('agent.account_id', '=', accountId)
    .where('agent.id', '>', after)
    .where(isInScope(scope))
    .orderBy('agent.id')
    .limit(batchSize)
    .execute();

async function counts(
  { db, now }: Tx,
  accountId: number,
  by: 'role_id' | 'department_id',
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('access_entry as entry')
    .select((eb) => [`${by} as id` as const, eb.fn.countAll<number>().as('count')])
    .where('account_id', '=', accountId)
    .where(by, 'is not', null)
    .where(isGrantedAt(now))
    .groupBy(by)
    .execute();
  return new Map(rows.map(({ id, count }) => [id!, Number(count)]));
}

export const accountAccessReads = (
  reader: Reader,
  now: () => number,
): Pick<AccessReads, 'all' | 'counts' | 'holders' | 'devices'> => ({
  async all(accountId, filter) {
    const query = selectEntries({ db: reader(accountId), now: now() }, accountId, filter);
    return (await readInBatches((after) => query.where('entry.id', '>', after).execute())).map(toEntry);
  },
  counts: (accountId, by) => counts({ db: reader(accountId), now: now() }, accountId, by),
  holders: (accountId, agentRef) => holders({ db: reader(accountId), now: now() }, accountId, agentRef),
  devices: (accountId, scope) =>
    readInBatches((after) => selectNamedAgents(reader(accountId), accountId, scope, after)),
});
