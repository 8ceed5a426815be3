/** Every difference between SQLite and PostgreSQL. No other file distinguishes them. */
import type { Database, DatabaseOptions, InspectedDatabase } from './database.ts';
import { fillPostgres, inspectPostgres, primaryUrl } from '../upkeep/postgres-upkeep.ts';
import { migratePostgres, openPostgres } from './postgres.ts';
import { fillSqlite, inspectSqlite } from '../upkeep/sqlite-upkeep.ts';
import { openSqlite, prepareDatabaseFile } from './sqlite.ts';

export const openDatabase = (options: DatabaseOptions): Promise<Database> =>
  options.url === undefined ? openSqlite(options) : openPostgres(options.url, options);

/** Opens the database for inspection; undefined when it does not exist yet. */
export const inspectDatabase = ({ url, folder }: DatabaseOptions): Promise<InspectedDatabase | undefined> =>
  url === undefined ? inspectSqlite(folder) : inspectPostgres(url);

/** Migrates without starting a server. No server may run on the data folder of an embedded database meanwhile. */
export const migrateDatabase = async ({ url, folder, ...options }: DatabaseOptions): Promise<void> =>
  url === undefined
    ? prepareDatabaseFile(folder, options.contracts ?? false)
    : migratePostgres(await primaryUrl(url), options);

/**
 * Replaces the contents with those of a prepared copy of a backup: all of it or, on any error, nothing. No server may
 * run meanwhile. Ids that were assigned before stay used. False when there are accounts already and `replace` is not
 * set.
 */
export const fillDatabase = (
  { url, folder }: DatabaseOptions,
  copy: string,
  replace: boolean,
): Promise<boolean> =>
  url === undefined ? fillSqlite(folder, copy, replace) : fillPostgres(url, copy, replace);
