/** Every difference between SQLite and PostgreSQL. No other file asks which one it is. */
import type { Kysely } from 'kysely';
import type { ChangeJob } from './run-change.ts';
import { fillPostgres, inspectPostgres } from '../upkeep/postgres-upkeep.ts';
import { openPostgres } from './postgres.ts';
import type { Tables } from './schema.ts';
import { fillSqlite, inspectSqlite } from '../upkeep/sqlite-upkeep.ts';
import { openSqlite } from './sqlite.ts';

/** A connection for reading: of one account, or of all where the account is not known yet. */
export type Reader = (accountId: number | 'all') => Kysely<Tables>;

/** A database that is open and has the newest schema. */
export interface Database {
  /** True when only one server can use this database. */
  isExclusive: boolean;
  reader: Reader;
  /** Carries out a change in a transaction; resolves when it is on disk. */
  submit(job: Omit<ChangeJob, 'now'>): Promise<unknown>;
  /** Resolves when the database takes changes. */
  ping(): Promise<void>;
  /** The database's clock in unix seconds, kept at hand. */
  now(): number;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://…`, or undefined for the embedded database. */
  url?: string | undefined;
  /** The data folder, where the embedded database lives. */
  folder: string;
  poolSize?: number | undefined;
  /** Another clock than the database's, for tests. */
  clock?: (() => number) | undefined;
  /** Called when nothing can be stored any more: the process had better end and be started anew. */
  onBroken?: ((error: Error) => void) | undefined;
  /** Called with the size and duration of each shared commit. */
  onCommit?: ((changes: number, seconds: number) => void) | undefined;
}

export const openDatabase = (options: DatabaseOptions): Promise<Database> =>
  options.url === undefined ? openSqlite(options) : openPostgres(options.url, options);

/** The highest id ever given out, by table. None of them may be given out again. */
export type Counters = ReadonlyMap<string, number>;

/** One thing that was looked at, and what the operator should know or do about it. */
export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  says: string;
}

/** A database as it stands: opening it changes nothing, not even its schema. For the operator's commands. */
export interface InspectedDatabase {
  /** The number of its last migration; 0 when it holds no tables of ours. */
  schema: number;
  /** Everything as of one moment, read through `read`. */
  snapshot<Result>(read: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  counters(db: Kysely<Tables>): Promise<Counters>;
  /** How well it is, and whether it is set up as the service needs it. */
  examine(): Promise<Finding[]>;
  close(): Promise<void>;
}

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
