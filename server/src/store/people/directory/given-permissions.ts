/** Whether membership of departments gives anybody more than the person with whose rights it is given may give, in SQL. */
import type { Permission } from '@drawbridge/contract/permissions';
import type { Actor } from '../../../domain/people/access.ts';
import { findUnheldTeamPermission } from '../../../domain/people/escalation.ts';
import type { Tx } from '../../engine/transaction.ts';
import { isGrantedAt } from '../grant-rows.ts';
import { hasIdIn } from '../scope.ts';

/** Whether joining one of these departments gives a team permission that the actor lacks, or for longer than they hold it. */
export async function departmentsGiveUnheld(
  { db, now }: Tx,
  actor: Actor,
  ids: readonly number[],
): Promise<boolean> {
  const rows = await db
    .selectFrom('access_entry as entry')
    .innerJoin('role', 'role.id', 'entry.role_id')
    .select(['role.permissions', 'entry.until_time'])
    .where('entry.account_id', '=', actor.accountId)
    .where(hasIdIn('entry.department_id', ids))
    .where(isGrantedAt(now))
    .execute();
  return rows.some(
    (row) =>
      findUnheldTeamPermission(actor, JSON.parse(row.permissions) as Permission[], row.until_time) !==
      undefined,
  );
}
