/** Finds all secrets of other systems in the database, counts them, and seals those that are in clear, in SQL. */
import type { Kysely } from 'kysely';
import type { Tables } from '../engine/schema.ts';
import type { ChangesOf } from '../engine/transaction.ts';
import { isSealed, type SecretBox, type SecretCounts, type SecretPlace } from './secret-box.ts';

interface SecretColumn {
  table: 'directory' | 'provider' | 'webhook';
  column: 'bind_password' | 'client_secret' | 'secret' | 'old_secret';
  place: SecretPlace['column'];
}

const secretColumns: readonly SecretColumn[] = [
  { table: 'directory', column: 'bind_password', place: 'directory.bind_password' },
  { table: 'provider', column: 'client_secret', place: 'provider.client_secret' },
  { table: 'webhook', column: 'secret', place: 'webhook.secret' },
  { table: 'webhook', column: 'old_secret', place: 'webhook.secret' },
];

interface StoredSecret {
  place: SecretPlace;
  stored: string;
}

async function secretsIn(
  db: Kysely<Tables>,
  { table, column, place }: SecretColumn,
): Promise<StoredSecret[]> {
  // The query builder knows one table at a time: all of them have an id, an account and the column.
  const rows = await db
    .selectFrom(table as 'directory')
    .select(['id', 'account_id', `${column as 'bind_password'} as stored`])
    .where(column as 'bind_password', '!=', '')
    .execute();
  return rows.map((row) => ({
    place: { column: place, accountId: row.account_id, id: row.id },
    stored: row.stored,
  }));
}

/** The condition on the value lets one win that was entered meanwhile. */
const replace = (
  db: Kysely<Tables>,
  { table, column }: SecretColumn,
  { place, stored }: StoredSecret,
  sealed: string,
) =>
  db
    .updateTable(table as 'directory')
    .set({ [column as 'bind_password']: sealed })
    .where('account_id', '=', place.accountId)
    .where('id', '=', place.id)
    .where(column as 'bind_password', '=', stored)
    .execute();

export async function countSecrets(db: Kysely<Tables>, secrets: SecretBox): Promise<SecretCounts> {
  const found = (await Promise.all(secretColumns.map((each) => secretsIn(db, each)))).flat();
  const older = secrets.keys.slice(1);
  return {
    total: found.length,
    clear: found.filter(({ stored }) => !isSealed(stored)).length,
    older: found.filter(({ stored }) => older.some((key) => isSealed(stored, key))).length,
    unreadable: found.filter(({ place, stored }) => secrets.open(place, stored) === undefined).length,
  };
}

/** Seals with the current key what is in clear or sealed with an older one. What does not open stays as it is. */
export async function sealStoredSecrets(db: Kysely<Tables>, secrets: SecretBox): Promise<void> {
  for (const column of secretColumns)
    for (const found of await secretsIn(db, column)) {
      const text = secrets.isOutdated(found.stored) ? secrets.open(found.place, found.stored) : undefined;
      if (text !== undefined) await replace(db, column, found, secrets.seal(found.place, text));
    }
}

export const secretChanges: ChangesOf<'secrets/seal'> = {
  'secrets/seal': async function ({ db, secrets }) {
    await sealStoredSecrets(db, secrets);
    return countSecrets(db, secrets);
  },
};
