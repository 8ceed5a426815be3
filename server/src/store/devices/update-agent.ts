/** Updates the row of a device, in SQL. */
import type { Kysely, UpdateObject } from 'kysely';
import type { Tables } from '../engine/schema.ts';

/** Changes columns of a device and its revision; false when the device does not exist. */
export async function updateAgent(
  db: Kysely<Tables>,
  accountId: number,
  id: number,
  columns: UpdateObject<Tables, 'agent'>,
): Promise<boolean> {
  const row = await db
    .updateTable('agent')
    .set(columns)
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
