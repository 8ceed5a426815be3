/** Granted roles in SQL: who holds which role, and on what. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { RoleType } from '@drawbridge/contract/permissions';
import type { Kysely } from 'kysely';
import { findUnheldTeamPermission, gainsRights } from '../../domain/people/escalation.ts';
import { scopeFieldOf, type Role } from '../../domain/people/roles.ts';
import { accountAccessReads } from './account-access.ts';
import { loadActor } from './actors.ts';
import { bumpRightsVersion } from './account-versions.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import { findDepartment } from './departments.ts';
import type { Reader } from '../engine/database.ts';
import { findMember } from './members.ts';
import type { AccessEntry } from '../records.ts';
import { beyondOwnRights, findRole } from './roles.ts';
import type { Tables } from '../engine/schema.ts';
import type { GrantInput } from '../changes.ts';
import type { Reads } from '../store.ts';

export const accessReads = (reader: Reader): Reads['access'] => ({
  ofMember: (accountId, memberId) => entriesOf(reader(accountId), accountId, 'member_id', memberId),
  ofDepartment: (accountId, departmentId) =>
    entriesOf(reader(accountId), accountId, 'department_id', departmentId),
  ...accountAccessReads(reader),
});

async function entriesOf(
  db: Kysely<Tables>,
  accountId: number,
  holder: 'member_id' | 'department_id',
  id: number,
): Promise<AccessEntry[]> {
  const rows = await db
    .selectFrom('access_entry as entry')
    .innerJoin('role', 'role.id', 'entry.role_id')
    .select(['entry.role_id', 'role.type', 'role.system', 'entry.agent_id', 'entry.group_id'])
    .where('entry.account_id', '=', accountId)
    .where(`entry.${holder}`, '=', id)
    .orderBy('entry.id')
    .execute();
  return rows.map((row) => ({
    roleId: row.role_id,
    type: row.type as RoleType,
    system: row.system === 1,
    agentId: row.agent_id,
    groupId: row.group_id,
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
  input: GrantInput,
): Promise<ResolvedGrant | Fault<'not_found' | 'invalid'>> {
  const role = await findRole(db, input.accountId, input.roleId);
  if (!role) return fault('not_found', { field: 'role_id' });
  const holder = await resolveHolder(db, input);
  if (isFault(holder)) return holder;
  const scope = await resolveScope(db, input, role);
  return isFault(scope) ? scope : { role, row: { role_id: role.id, ...holder, ...scope } };
}

async function resolveHolder(db: Kysely<Tables>, { accountId, holder }: GrantInput) {
  if ('email' in holder) {
    const member = await findMember(db, accountId, holder.email);
    return member ? { member_id: member.id, department_id: null } : fault('not_found', { field: 'email' });
  }
  const department = await findDepartment(db, accountId, holder.departmentId);
  return department
    ? { member_id: null, department_id: department.id }
    : fault('not_found', { field: 'department_id' });
}

async function resolveScope(db: Kysely<Tables>, { accountId, agentId, groupId }: GrantInput, role: Role) {
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

export const accessChanges: ChangesOf<'access/add' | 'access/remove'> = {
  'access/add': async function ({ db }, input) {
    const { accountId, by } = input;
    await bumpRightsVersion(db, accountId);
    const [grant, before] = [await resolveGrant(db, input), await loadActor(db, accountId, by)];
    if (isFault(grant)) return grant;
    if (!before) return fault('not_found');
    if (findUnheldTeamPermission(before, grant.role.permissions) !== undefined)
      return fault('forbidden', beyondOwnRights);
    await db
      .insertInto('access_entry')
      .values({ account_id: accountId, ...grant.row })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const after = (await loadActor(db, accountId, by))!;
    if (gainsRights(before, after)) return fault('forbidden', beyondOwnRights);
    return {};
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
