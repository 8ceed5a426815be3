/** The interface of a database, for either kind. */
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';
import type { ChangeJob } from './transaction.ts';

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
