/** Every difference between SQLite and PostgreSQL. No other file asks which one it is. */
import type { Kysely } from 'kysely';
import type { Job } from './change.ts';
import { openPostgres } from './postgres.ts';
import type { Tables } from './schema.ts';
import { openSqlite } from './sqlite.ts';

/** A connection for reading: of one account, or of all where the account is not known yet. */
export type Reader = (accountId: number | 'all') => Kysely<Tables>;

/** A database that is open and has the newest schema. */
export interface Database {
  /** True when only one server can use this database. */
  alone: boolean;
  reader: Reader;
  /** Carries out a change in a transaction; resolves when it is on disk. */
  submit(job: Omit<Job, 'now'>): Promise<unknown>;
  /** The database's clock in unix seconds, kept at hand. */
  now(): number;
  /** A copy of everything as of one moment, read through `read`. For backups. */
  snapshot<Result>(read: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface Place {
  /** `postgres://…`, or undefined for the embedded database. */
  url?: string | undefined;
  /** The data folder, where the embedded database lives. */
  folder: string;
  poolSize?: number | undefined;
  /** Another clock than the database's, for tests. */
  clock?: (() => number) | undefined;
  /** Called with the size and duration of each shared commit. */
  onCommit?: ((changes: number, seconds: number) => void) | undefined;
}

export const openDatabase = (place: Place): Promise<Database> =>
  place.url === undefined ? openSqlite(place) : openPostgres(place.url, place);
