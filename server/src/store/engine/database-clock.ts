/** The clock of PostgreSQL, which all nodes share. */
import { sql, type Kysely } from 'kysely';
import type { Tables } from './schema.ts';

const readClockEveryMs = 10_000;

/**
 * The database's clock, read regularly and extrapolated in between, so that all nodes agree on the time. The clock of
 * the node's machine may be wrong and may jump.
 */
export async function databaseClock(db: Kysely<Tables>): Promise<{ now(): number; stop(): void }> {
  let offset = 0;
  const readClock = async (): Promise<void> => {
    const before = performance.now();
    const { rows } = await sql<{
      ms: number;
    }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db);
    offset = rows[0]!.ms - (before + performance.now()) / 2;
  };
  await readClock();
  const timer = setInterval(() => void readClock().catch(() => {}), readClockEveryMs).unref();
  return { now: () => Math.floor((performance.now() + offset) / 1_000), stop: () => clearInterval(timer) };
}
