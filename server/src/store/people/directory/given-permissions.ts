/** Whether membership of departments gives anybody more than the person with whose rights it is given may give, in SQL. */
import type { Permission } from '@drawbridge/contract/permissions';
import type { Kysely } from 'kysely';
import type { Actor } from '../../../domain/people/access.ts';
import { findUnheldTeamPermission } from '../../../domain/people/escalation.ts';
import type { Tables } from '../../engine/schema.ts';
import { hasIdIn } from '../scope.ts';

export async function givesUnheldPermission(
  db: Kysely<Tables>,
  actor: Actor,
  departmentIds: readonly number[],
): Promise<boolean> {
  const rows = await db
    .selectFrom('access_entry as entry')
    .innerJoin('role', 'role.id', 'entry.role_id')
    .select('role.permissions')
    .where('entry.account_id', '=', actor.accountId)
    .where(hasIdIn('entry.department_id', departmentIds))
    .execute();
  const given = rows.flatMap((row) => JSON.parse(row.permissions) as Permission[]);
  return findUnheldTeamPermission(actor, given) !== undefined;
}
