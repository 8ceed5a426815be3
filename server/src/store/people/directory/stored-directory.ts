/** The people and departments of an account as the plan of an import sees them, in SQL. */
import type { Kysely } from 'kysely';
import type { StoredDirectory, StoredPerson } from '../../../domain/people/directory-plan.ts';
import type { ImportTarget } from '../../../domain/people/directory-report.ts';
import type { Tables } from '../../engine/schema.ts';
import type { Tx } from '../../engine/transaction.ts';
import { hasMoreRightsThan } from '../actors.ts';

async function peopleOf(db: Kysely<Tables>, { accountId, id }: ImportTarget): Promise<StoredPerson[]> {
  const rows = await db
    .selectFrom('member')
    .leftJoin('scim_user as scim', 'scim.member_id', 'member.id')
    .select(['member.id', 'email', 'owner', 'operator', 'disabled', 'directory_id', 'directory_uid'])
    .select('scim.member_id as provisioned')
    .where('member.account_id', '=', accountId)
    .orderBy('member.id')
    .execute();
  return rows.map((row) => {
    const isProtected = row.owner === 1 || row.operator === 1;
    return {
      memberId: row.id,
      uid: row.directory_id === id ? row.directory_uid : null,
      email: row.email,
      disabled: row.disabled === 1,
      // A directory does not bring back people whom an identity provider has disabled.
      local: row.directory_id === null && !(row.disabled === 1 && row.provisioned !== null),
      keepsAccess: isProtected,
      keepsAddress: isProtected,
    };
  });
}

export async function storedDirectory(db: Kysely<Tables>, target: ImportTarget): Promise<StoredDirectory> {
  const { accountId, id } = target;
  const departments = await db
    .selectFrom('department')
    .select(['id', 'name', 'directory_uid'])
    .where('account_id', '=', accountId)
    .where('directory_id', '=', id)
    .orderBy('id')
    .execute();
  const members = await db
    .selectFrom('department_member as belongs')
    .innerJoin('department', 'department.id', 'belongs.department_id')
    .innerJoin('member', 'member.id', 'belongs.member_id')
    .select(['belongs.department_id', 'member.directory_uid'])
    .where('belongs.account_id', '=', accountId)
    .where('department.directory_id', '=', id)
    .where('member.directory_id', '=', id)
    .execute();
  const byDepartment = Map.groupBy(members, (row) => row.department_id);
  return {
    people: await peopleOf(db, target),
    departments: departments.map((row) => ({
      departmentId: row.id,
      uid: row.directory_uid!,
      name: row.name,
      members: (byDepartment.get(row.id) ?? []).map((member) => member.directory_uid!),
    })),
  };
}

/** The same, where these people keep their addresses if they hold rights that the importing person lacks. */
export async function keepHigherAddresses(
  tx: Tx,
  { accountId, by }: ImportTarget,
  stored: StoredDirectory,
  memberIds: ReadonlySet<number>,
): Promise<StoredDirectory> {
  const people: StoredPerson[] = [];
  for (const person of stored.people) {
    const { memberId } = person;
    const isHigher = memberIds.has(memberId) && (await hasMoreRightsThan(tx, { accountId, memberId }, by));
    people.push(isHigher ? { ...person, keepsAddress: true } : person);
  }
  return { ...stored, people };
}
