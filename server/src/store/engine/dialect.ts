/** Every difference between SQLite and PostgreSQL. No other file asks which one it is. */
import type { Database, DatabaseOptions, InspectedDatabase } from './database.ts';
import { fillPostgres, inspectPostgres } from '../upkeep/postgres-upkeep.ts';
import { openPostgres } from './postgres.ts';
import { fillSqlite, inspectSqlite } from '../upkeep/sqlite-upkeep.ts';
import { openSqlite } from './sqlite.ts';

export const openDatabase = (options: DatabaseOptions): Promise<Database> =>
  options.url === undefined ? openSqlite(options) : openPostgres(options.url, options);

/** The database at this place, or undefined when there is none yet. */
export const inspectDatabase = ({ url, folder }: DatabaseOptions): Promise<InspectedDatabase | undefined> =>
  url === undefined ? inspectSqlite(folder) : inspectPostgres(url);

/**
 * Puts what a prepared copy of a backup holds in the place of what is there: all of it or, on any error, nothing.
 * No server may run meanwhile. The ids that were given out before stay used. False when there were accounts already.
 */
export const fillDatabase = (
  { url, folder }: DatabaseOptions,
  copy: string,
  replace: boolean,
): Promise<boolean> =>
  url === undefined ? fillSqlite(folder, copy, replace) : fillPostgres(url, copy, replace);
