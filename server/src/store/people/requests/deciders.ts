/** Who may decide about requests for access, in SQL. */
import type { Permission } from '@drawbridge/contract/permissions';
import type { Tx } from '../../engine/transaction.ts';
import type { MemberRef } from '../../../domain/people/panel.ts';
import { isGrantedAt } from '../grant-rows.ts';
import { hasIdIn } from '../scope.ts';

/** The people and departments that hold `team_user_admin` now. */
async function adminHolders({ db, now }: Tx, accountId: number) {
  const rows = await db
    .selectFrom('access_entry as entry')
    .innerJoin('role', 'role.id', 'entry.role_id')
    .select(['entry.member_id', 'entry.department_id', 'role.permissions'])
    .where('entry.account_id', '=', accountId)
    .where('role.type', '=', 'team')
    .where(isGrantedAt(now))
    .execute();
  const admins = rows.filter((row) =>
    (JSON.parse(row.permissions) as Permission[]).includes('team_user_admin'),
  );
  return {
    members: admins.flatMap((row) => row.member_id ?? []),
    departments: admins.flatMap((row) => row.department_id ?? []),
  };
}

/** The e-mail addresses of the people who may decide about a request of this person; the first ones, if they are many. */
export async function decidersFor(
  tx: Tx,
  { accountId, memberId }: MemberRef,
  limit: number,
): Promise<string[]> {
  const { members, departments } = await adminHolders(tx, accountId);
  const joined = await tx.db
    .selectFrom('department_member')
    .select('member_id')
    .where('account_id', '=', accountId)
    .where(hasIdIn('department_id', departments))
    .execute();
  const ids = [...members, ...joined.map((row) => row.member_id)];
  const people = await tx.db
    .selectFrom('member')
    .select('email')
    .where('account_id', '=', accountId)
    .where('id', '<>', memberId)
    .where('disabled', '=', 0)
    .where('state', '=', 'active')
    .where((eb) => eb.or([eb('owner', '=', 1), hasIdIn('member.id', ids)]))
    .orderBy('id')
    .limit(limit)
    .execute();
  return people.map(({ email }) => email);
}
