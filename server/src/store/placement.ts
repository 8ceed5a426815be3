/** The one place that maps an account to the database that holds its rows. */
import type { Database } from './engine/database.ts';

/** The position of the database of an account in the list of databases. */
type PlaceOf = (accountId: number) => number;

/** A deployment has one database today: every account is there. */
const inTheFirst: PlaceOf = () => 0;

/**
 * Several databases as one. Reads and changes of an account go to its database; those that do not name an account go to
 * the first, which also gives the time.
 */
export function placeAccounts(
  databases: readonly [Database, ...Database[]],
  placeOf: PlaceOf = inTheFirst,
): Database {
  const [first] = databases;
  const databaseOf = (accountId: number | 'all'): Database => {
    const database = accountId === 'all' ? first : databases[placeOf(accountId)];
    if (!database) throw new Error(`Account ${accountId} is placed in a database that is not open.`);
    return database;
  };
  return {
    isExclusive: first.isExclusive,
    secrets: first.secrets,
    reader: (accountId) => databaseOf(accountId).reader(accountId),
    submit: (job) => databaseOf('accountId' in job.input ? job.input.accountId : 'all').submit(job),
    now: first.now,
    async close() {
      await Promise.all(databases.map((database) => database.close()));
    },
  };
}
