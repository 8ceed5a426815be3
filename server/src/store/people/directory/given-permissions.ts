/** Whether an import gives anybody more than the person with whose rights it runs may give, in SQL. */
import type { Permission } from '@drawbridge/contract/permissions';
import type { Kysely } from 'kysely';
import type { Actor } from '../../../domain/people/access.ts';
import type { ImportPlan, StoredDirectory } from '../../../domain/people/directory-plan.ts';
import { findUnheldTeamPermission } from '../../../domain/people/escalation.ts';
import type { Tables } from '../../engine/schema.ts';
import { hasIdIn } from '../scope.ts';

/** What somebody receives who joins these departments. */
export async function permissionsOfDepartments(
  db: Kysely<Tables>,
  accountId: number,
  ids: readonly number[],
): Promise<Permission[]> {
  const rows = await db
    .selectFrom('access_entry as entry')
    .innerJoin('role', 'role.id', 'entry.role_id')
    .select('role.permissions')
    .where('entry.account_id', '=', accountId)
    .where(hasIdIn('entry.department_id', ids))
    .execute();
  return rows.flatMap((row) => JSON.parse(row.permissions) as Permission[]);
}

export async function givesUnheldPermission(
  db: Kysely<Tables>,
  actor: Actor,
  { plan, stored }: { plan: ImportPlan; stored: StoredDirectory },
): Promise<boolean> {
  const joined = new Set(plan.join.map(({ department }) => department));
  const ids = stored.departments.filter(({ uid }) => joined.has(uid)).map((each) => each.departmentId);
  const given = await permissionsOfDepartments(db, actor.accountId, ids);
  return findUnheldTeamPermission(actor, given) !== undefined;
}
