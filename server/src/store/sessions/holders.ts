/** Which pairing holds a session, in SQL: a node that missed that it was resumed elsewhere must not change it. */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { Tables } from '../engine/schema.ts';

/** A pairing that says something about a session. If it is not named, it counts as the one that holds it. */
interface Pairing {
  holder?: string;
}

/** Whether the pairing holds the session. Any holds one that was opened by a server without the column. */
export const isHeldBy =
  ({ holder }: Pairing) =>
  (eb: ExpressionBuilder<Tables, 'session'>): Expression<SqlBool> =>
    holder === undefined ? eb.lit(true) : eb('holder', 'in', ['', holder]);

/** Whether the session runs and another pairing holds it. */
export async function isHeldElsewhere(
  db: Kysely<Tables>,
  accountId: number,
  { id, ...pairing }: Pairing & { id: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('stop_time', 'is', null)
    .where((eb) => eb.not(isHeldBy(pairing)(eb)))
    .executeTakeFirst();
  return row !== undefined;
}
