/** Departments that follow the groups of a person at their identity provider, in SQL. */
import type { Kysely } from 'kysely';
import { gainsRights } from '../../../domain/people/escalation.ts';
import type { Tables } from '../../engine/schema.ts';
import type { Tx } from '../../engine/transaction.ts';
import { bumpRightsVersion } from '../account-versions.ts';
import { loadActor } from '../actors.ts';
import { departmentsGiveUnheld } from '../directory/given-permissions.ts';
import { hasIdIn } from '../scope.ts';

interface ProviderMember {
  accountId: number;
  providerId: number;
  memberId: number;
}

interface Mapping {
  departmentId: number;
  /** The person who mapped the group to the department. */
  by: number;
}

async function mappingsOf(
  db: Kysely<Tables>,
  { accountId, providerId }: ProviderMember,
  groups: readonly string[],
): Promise<Mapping[]> {
  const rows = await db
    .selectFrom('provider_group as mapped')
    .innerJoin('department', 'department.id', 'mapped.department_id')
    .select(['mapped.group_name', 'mapped.department_id', 'mapped.member_id'])
    .where('mapped.account_id', '=', accountId)
    .where('mapped.provider_id', '=', providerId)
    .where('department.ldap', '=', 0)
    .orderBy('mapped.department_id')
    .orderBy('mapped.group_name')
    .execute();
  const held = new Set(groups);
  return rows
    .filter((row) => held.has(row.group_name))
    .map((row) => ({ departmentId: row.department_id, by: row.member_id }));
}

async function departmentsOf(
  db: Kysely<Tables>,
  { accountId, memberId }: ProviderMember,
): Promise<{ departmentId: number; providerId: number | null }[]> {
  const rows = await db
    .selectFrom('department_member')
    .select(['department_id', 'provider_id'])
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .execute();
  return rows.map((row) => ({ departmentId: row.department_id, providerId: row.provider_id }));
}

async function leave(
  db: Kysely<Tables>,
  { accountId, memberId, providerId }: ProviderMember,
  departmentIds: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('department_member')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('provider_id', '=', providerId)
    .where(hasIdIn('department_id', departmentIds))
    .execute();
}

/** Adds the person, unless the one who mapped the group could not: nobody gives more team permissions than they hold. */
async function join(tx: Tx, member: ProviderMember, { departmentId, by }: Mapping): Promise<boolean> {
  const { accountId, memberId, providerId } = member;
  const giver = await loadActor(tx, accountId, by);
  if (!giver || (await departmentsGiveUnheld(tx, giver, [departmentId]))) return false;
  await tx.db
    .insertInto('department_member')
    .values({
      account_id: accountId,
      department_id: departmentId,
      member_id: memberId,
      provider_id: providerId,
    })
    .execute();
  if (by !== memberId || !gainsRights(giver, (await loadActor(tx, accountId, memberId))!)) return true;
  await leave(tx.db, member, [departmentId]);
  return false;
}

/** Adds and removes only what this provider decides; the departments of an owner stay as they are. */
export async function followGroups(tx: Tx, member: ProviderMember, groups: readonly string[]): Promise<void> {
  const { accountId, memberId, providerId } = member;
  const { db } = tx;
  if ((await loadActor(tx, accountId, memberId))?.owner !== false) return;
  const mappings = await mappingsOf(db, member, groups);
  const mapped = new Set(mappings.map(({ departmentId }) => departmentId));
  const current = await departmentsOf(db, member);
  const left = current.filter((each) => each.providerId === providerId && !mapped.has(each.departmentId));
  await leave(
    db,
    member,
    left.map(({ departmentId }) => departmentId),
  );
  const joined = new Set(current.map(({ departmentId }) => departmentId));
  let hasChanged = left.length > 0;
  for (const mapping of mappings) {
    if (joined.has(mapping.departmentId) || !(await join(tx, member, mapping))) continue;
    joined.add(mapping.departmentId);
    hasChanged = true;
  }
  if (hasChanged) await bumpRightsVersion(db, accountId);
}
