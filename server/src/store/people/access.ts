/** Granted roles in SQL: who holds which role, and on what. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { RoleType } from '@drawbridge/contract/permissions';
import type { Kysely } from 'kysely';
import { scopeFieldOf, type Role } from '../../domain/people/roles.ts';
import { isGrantedAt } from './grant-rows.ts';
import { accountAccessReads } from './account-access.ts';
import { addGrantEntry, giveWithinRights } from './give-access.ts';
import { bumpRightsVersion } from './account-versions.ts';
import type { ChangesOf, Tx } from '../engine/transaction.ts';
import { findDepartment } from './departments.ts';
import type { Reader } from '../engine/database.ts';
import { findMember } from './members.ts';
import type { AccessEntry } from '../records.ts';
import { findRole } from './roles.ts';
import type { Tables } from '../engine/schema.ts';
import type { GrantInput } from '../changes.ts';
import type { Reads } from '../store.ts';

export const accessReads = (reader: Reader, now: () => number): Reads['access'] => ({
  ofMember: (accountId, memberId) =>
    entriesOf({ db: reader(accountId), now: now() }, accountId, 'member_id', memberId),
  ofDepartment: (accountId, departmentId) =>
    entriesOf({ db: reader(accountId), now: now() }, accountId, 'department_id', departmentId),
  ...accountAccessReads(reader, now),
});

async function entriesOf(
  { db, now }: Tx,
  accountId: number,
  holder: 'member_id' | 'department_id',
  id: number,
): Promise<AccessEntry[]> {
  const rows = await db
    .selectFrom('access_entry as entry')
    .innerJoin('role', 'role.id', 'entry.role_id')
    .select(['entry.role_id', 'role.type', 'role.system', 'entry.agent_id', 'entry.group_id'])
    .select('entry.until_time')
    .where('entry.account_id', '=', accountId)
    .where(isGrantedAt(now))
    .where(`entry.${holder}`, '=', id)
    .orderBy('entry.id')
    .execute();
  return rows.map((row) => ({
    roleId: row.role_id,
    type: row.type as RoleType,
    system: row.system === 1,
    agentId: row.agent_id,
    groupId: row.group_id,
    until: row.until_time,
  }));
}

interface ResolvedGrant {
  role: Role;
  row: {
    role_id: number;
    member_id: number | null;
    department_id: number | null;
    agent_id: number | null;
    group_id: number | null;
  };
}

/** Finds everything that the grant names in this account, and checks that the scope fits the role's type. */
async function resolveGrant(
  db: Kysely<Tables>,
  input: Omit<GrantInput, 'by' | 'until'>,
): Promise<ResolvedGrant | Fault<'not_found' | 'invalid'>> {
  const role = await findRole(db, input.accountId, input.roleId);
  if (!role) return fault('not_found', { field: 'role_id' });
  const holder = await resolveHolder(db, input);
  if (isFault(holder)) return holder;
  const scope = await resolveScope(db, input, role);
  return isFault(scope) ? scope : { role, row: { role_id: role.id, ...holder, ...scope } };
}

async function resolveHolder(
  db: Kysely<Tables>,
  { accountId, holder }: Pick<GrantInput, 'accountId' | 'holder'>,
) {
  if ('email' in holder) {
    const member = await findMember(db, accountId, holder.email);
    return member ? { member_id: member.id, department_id: null } : fault('not_found', { field: 'email' });
  }
  const department = await findDepartment(db, accountId, holder.departmentId);
  return department
    ? { member_id: null, department_id: department.id }
    : fault('not_found', { field: 'department_id' });
}

export async function resolveScope(
  db: Kysely<Tables>,
  { accountId, agentId, groupId }: Pick<GrantInput, 'accountId' | 'agentId' | 'groupId'>,
  role: Pick<Role, 'type'>,
) {
  const wanted = scopeFieldOf(role.type);
  const given = { agent_id: agentId ?? null, group_id: groupId ?? null };
  for (const field of ['agent_id', 'group_id'] as const) {
    if (field === wanted && given[field] === null)
      return fault('invalid', { field, message: `A role of type ${role.type} needs ${field}.` });
    if (field !== wanted && given[field] !== null)
      return fault('invalid', { field, message: `A role of type ${role.type} takes no ${field}.` });
  }
  const found =
    wanted === undefined ||
    (await exists(db, wanted === 'agent_id' ? 'agent' : 'agent_group', accountId, given[wanted]!));
  return found ? given : fault('not_found', { field: wanted });
}

const exists = async (
  db: Kysely<Tables>,
  table: 'agent' | 'agent_group',
  accountId: number,
  id: number,
): Promise<boolean> =>
  (await db
    .selectFrom(table)
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined;

const inThePast = { field: 'until', message: 'must be in the future' };
const grantedForGood = {
  field: 'until',
  code: 'granted_without_end',
  message: 'This role is already granted there without an end. Remove it first.',
};

/** The entry with exactly this holder and scope that no request gave. */
async function findEntry({ db }: Tx, accountId: number, row: ResolvedGrant['row']) {
  let query = db
    .selectFrom('access_entry')
    .select(['id', 'until_time'])
    .where('account_id', '=', accountId)
    .where('request_id', 'is', null);
  for (const [column, value] of Object.entries(row) as [keyof ResolvedGrant['row'], number | null][])
    query = query.where(column, value === null ? 'is' : '=', value);
  return query.executeTakeFirst();
}

const setEnd = (db: Kysely<Tables>, accountId: number, id: number, until: number | null) =>
  db
    .updateTable('access_entry')
    .set({ until_time: until })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();

export const accessChanges: ChangesOf<'access/add' | 'access/remove'> = {
  'access/add': async function (tx, input) {
    const { accountId, by, until = null } = input;
    await bumpRightsVersion(tx.db, accountId);
    const grant = await resolveGrant(tx.db, input);
    if (isFault(grant)) return grant;
    if (until !== null && until <= tx.now) return fault('invalid', inThePast);
    const known = await findEntry(tx, accountId, grant.row);
    if (until !== null && known && known.until_time === null) return fault('invalid', grantedForGood);
    return giveWithinRights(tx, { accountId, by, permissions: grant.role.permissions, until }, () =>
      known
        ? setEnd(tx.db, accountId, known.id, until)
        : addGrantEntry(tx.db, accountId, { ...grant.row, until }),
    );
  },

  'access/remove': async function ({ db }, input) {
    const grant = await resolveGrant(db, input);
    if (isFault(grant)) return grant;
    let query = db.deleteFrom('access_entry').where('account_id', '=', input.accountId).returning('id');
    for (const [column, value] of Object.entries(grant.row) as [keyof ResolvedGrant['row'], number | null][])
      query = query.where(column, value === null ? 'is' : '=', value);
    if ((await query.execute()).length === 0)
      return fault('not_found', { field: 'role_id', message: 'This role is not granted there.' });
    await bumpRightsVersion(db, input.accountId);
    return {};
  },
};
