/** The clock of PostgreSQL, which all nodes share. */
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../schema.ts';

const readClockEveryMs = 10_000;
/** How soon the clock is read again after a reading that was dropped or failed. */
const readAgainMs = 1_000;
/**
 * A reading is wrong by up to half of its round trip, in which the query may have waited for a free connection. One that
 * took longer is dropped: the clock runs on without it.
 */
const maxRoundTripMs = 1_000;
/** A server that starts has no time without a reading: it uses the quickest of so many if each took too long. */
const readingsAtStart = 5;

/** What the clock is made of. */
export interface DatabaseClockSources {
  /** The database's clock, in milliseconds. */
  read(): Promise<number>;
  /** Milliseconds that never jump. */
  steady(): number;
}

export interface DatabaseClock {
  /** In unix seconds. */
  now(): number;
  stop(): void;
}

interface Reading {
  /** What must be added to the steady milliseconds. */
  offset: number;
  roundTripMs: number;
}

/**
 * The database's clock, read regularly and extrapolated in between, so that all nodes agree on the time. The clock of
 * the node's machine may be wrong and may jump.
 */
export const databaseClock = (db: Kysely<Tables>): Promise<DatabaseClock> =>
  followDatabaseClock({ read: () => readClock(db), steady: () => performance.now() });

async function readClock(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{
    ms: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db);
  return rows[0]!.ms;
}

export async function followDatabaseClock(sources: DatabaseClockSources): Promise<DatabaseClock> {
  let { offset } = await firstReading(sources);
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const readAfter = (ms: number): void => {
    if (!isStopped) timer = setTimeout(() => void readAgain(), ms).unref();
  };
  const readAgain = async (): Promise<void> => {
    const reading = await takeReading(sources).catch(() => undefined); // the next one may succeed
    const isUsable = reading !== undefined && isQuick(reading);
    if (isUsable) offset = reading.offset;
    readAfter(isUsable ? readClockEveryMs : readAgainMs);
  };
  readAfter(readClockEveryMs);
  return {
    now: () => Math.floor((sources.steady() + offset) / 1_000),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

const isQuick = ({ roundTripMs }: Reading): boolean => roundTripMs <= maxRoundTripMs;

async function takeReading({ read, steady }: DatabaseClockSources): Promise<Reading> {
  const before = steady();
  const ms = await read();
  const after = steady();
  return { offset: ms - (before + after) / 2, roundTripMs: after - before };
}

async function firstReading(sources: DatabaseClockSources): Promise<Reading> {
  let best = await takeReading(sources);
  for (let taken = 1; taken < readingsAtStart && !isQuick(best); taken++) {
    const reading = await takeReading(sources);
    if (reading.roundTripMs < best.roundTripMs) best = reading;
  }
  return best;
}
