/** People whom their directory or identity provider has disabled, in SQL. */
import type { Kysely } from 'kysely';
import type { Flag, Tables } from '../engine/schema.ts';
import { detachPerson, isProvisionedPerson } from './provisioning/managed.ts';
import { hasIdIn } from './scope.ts';

export async function setDisabled(
  db: Kysely<Tables>,
  accountId: number,
  ids: readonly number[],
  disabled: Flag,
): Promise<void> {
  await db
    .updateTable('member')
    .set({ disabled })
    .where('account_id', '=', accountId)
    .where(hasIdIn('id', ids))
    .execute();
}

/** Disabled people are out at once: their panel sessions and links are removed, and their rights do not count. */
export async function endAccess(
  db: Kysely<Tables>,
  accountId: number,
  ids: readonly number[],
): Promise<void> {
  for (const table of ['panel_session', 'sign_in_link'] as const)
    await db.deleteFrom(table).where('account_id', '=', accountId).where(hasIdIn('member_id', ids)).execute();
}

/** Refuses what only the directory or identity provider of a disabled person decides. */
export const disabledByDirectory = {
  field: 'email',
  code: 'disabled',
  message: 'The directory or identity provider of this person has disabled them. Enable them there first.',
};

/** Enables a person whose directory or identity provider is gone. False for somebody who still has one. */
export async function enableLocal(db: Kysely<Tables>, accountId: number, id: number): Promise<boolean> {
  if (await isProvisionedPerson(db, accountId, id)) return false;
  await detachPerson(db, accountId, id);
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
