/** The version of an account's rights: incremented by every change of rights, keys or plan. */
import type { Kysely } from 'kysely';
import type { Tables } from '../engine/schema.ts';

/**
 * Increments the version before rights, keys or the plan of an account change, so that cached copies are read again. A
 * change that checks rights calls this first, because it locks the account's row: two changes that only together give
 * too much are then serialized.
 */
export async function bumpRightsVersion(db: Kysely<Tables>, accountId: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ rights_version: eb('rights_version', '+', 1) }))
    .where('account_id', '=', accountId)
    .execute();
}
