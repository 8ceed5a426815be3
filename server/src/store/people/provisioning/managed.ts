/** What identity providers look after, so that it is not changed here, in SQL. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../engine/schema.ts';

/** Without a token, no identity provider can change anything: what it looked after can be changed here again. */
const hasToken = async (db: Kysely<Tables>, accountId: number): Promise<boolean> =>
  (await db
    .selectFrom('scim_token')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** True also for somebody whom the identity provider has deleted: only it can bring them back. */
export async function isProvisionedPerson(
  db: Kysely<Tables>,
  accountId: number,
  id: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('scim_user')
    .select('member_id')
    .where('account_id', '=', accountId)
    .where('member_id', '=', id)
    .executeTakeFirst();
  return row !== undefined && hasToken(db, accountId);
}

export async function isProvisionedDepartment(
  db: Kysely<Tables>,
  accountId: number,
  id: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('scim_group')
    .select('department_id')
    .where('account_id', '=', accountId)
    .where('department_id', '=', id)
    .executeTakeFirst();
  return row !== undefined && hasToken(db, accountId);
}

/** The person is local from now on. */
export async function detachPerson(db: Kysely<Tables>, accountId: number, id: number): Promise<void> {
  await db.deleteFrom('scim_user').where('account_id', '=', accountId).where('member_id', '=', id).execute();
}
