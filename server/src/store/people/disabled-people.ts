/** People whom their directory has disabled, in SQL. */
import type { Kysely } from 'kysely';
import type { Tables } from '../engine/schema.ts';

/** Refuses what only the directory of a disabled person decides. */
export const disabledByDirectory = {
  field: 'email',
  code: 'disabled',
  message: 'The directory of this person has disabled them. Enable them there, then import it again.',
};

/** Enables a person whose directory was removed. False for somebody who still has one. */
export async function enableLocal(db: Kysely<Tables>, accountId: number, id: number): Promise<boolean> {
  const row = await db
    .updateTable('member')
    .set({ disabled: 0 })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('directory_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
