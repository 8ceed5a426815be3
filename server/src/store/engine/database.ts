/** The interface of a database, for SQLite and PostgreSQL. */
import type { Kysely } from 'kysely';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { SchemaState } from './migrate.ts';
import type { Tables } from './schema.ts';
import type { ChangeJob } from './transaction.ts';

/** A connection for reading: of one account, or of all where the account is not known yet. */
export type Reader = (accountId: number | 'all') => Kysely<Tables>;

/** A database that is open and has the newest schema. */
export interface Database {
  /** True when only one server can use this database. */
  isExclusive: boolean;
  reader: Reader;
  /** Opens the secrets of other systems that are read. */
  secrets: SecretBox;
  /** Runs a change in a transaction; resolves when it is durable. */
  submit(job: Omit<ChangeJob, 'now'>): Promise<unknown>;
  /** The database's clock in unix seconds, without a query. */
  now(): number;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://…`, or undefined for the embedded database. */
  url?: string | undefined;
  /** The data folder, where the embedded database lives. */
  folder: string;
  poolSize?: number | undefined;
  /** Whether contract steps of migrations run where no older server is alive: only servers do this, when they start. */
  contracts?: boolean | undefined;
  /** Seals and opens the secrets of other systems; absent where they are not used. */
  secrets?: SecretBox | undefined;
  /** Replaces the database's clock, for tests. */
  clock?: (() => number) | undefined;
  /** Called when nothing can be stored any more: the process should exit and be restarted. */
  onBroken?: ((error: Error) => void) | undefined;
  /** Called when another program has been migrating for a while, with the place where it runs: the start waits for it. */
  onMigrationWait?: ((holder: string) => void) | undefined;
  /** Called with the size and duration of each shared commit. */
  onCommit?: ((changes: number, seconds: number) => void) | undefined;
  /**
   * Called when secrets that were removed earlier, in clear, are erased from unused parts of the embedded database, which can
   * take minutes, and with the error if it was not possible. The next start tries it again.
   */
  onRemnants?: ((step: 'begin' | Error) => void) | undefined;
}

/** The highest id ever assigned, by table. None of them may be assigned again. */
export type Counters = ReadonlyMap<string, number>;

/** One result of a check, and what the administrator should know or do about it. */
export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  says: string;
}

/** A database opened without migrating it or changing anything else, for the administrator's commands. */
export interface InspectedDatabase extends SchemaState {
  /** Runs `read` on a consistent snapshot of all data. */
  snapshot<Result>(read: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  counters(db: Kysely<Tables>): Promise<Counters>;
  /** Checks the state of the database and its settings. */
  examine(): Promise<Finding[]>;
  close(): Promise<void>;
}
