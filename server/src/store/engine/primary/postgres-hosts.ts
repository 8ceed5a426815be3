/** Finds the PostgreSQL to write to among the hosts of an address: a standby and a former primary are not written to. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { postgresUrlsOf } from '../../../domain/postgres-url.ts';
import { chownToFolderOwner } from '../../blobs/durable-files.ts';
import { markOutage } from '../../outages.ts';

/** What PostgreSQL says of itself. Every promotion of a standby begins a new timeline. */
interface PostgresState {
  system: string;
  /** 0 on a standby. */
  timeline: number;
  isWritable: boolean;
}

export interface FoundPostgres extends PostgresState {
  url: string;
  client: pg.Client;
}

/** How long a host may take to answer: while requests wait for it, and when a program starts. */
const answerWithinMs = 2_000;
export const startWithinMs = 10_000;

const stateQuery = `select (select system_identifier::text from pg_control_system()) as system,
  case when pg_is_in_recovery() then '0' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
  not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writable`;

export async function readPostgresState(client: pg.Client): Promise<PostgresState> {
  const { rows } = await client.query(stateQuery);
  const { system, timeline, writable } = rows[0] as { system: string; timeline: string; writable: boolean };
  return { system, timeline: Number.parseInt(timeline, 16), isWritable: writable };
}

/** Asks all hosts and returns a connection to the primary. Throws an outage if there is none. */
export async function findPrimary(
  url: string,
  timelines?: TimelineMemory,
  withinMs = answerWithinMs,
): Promise<FoundPostgres> {
  const urls = postgresUrlsOf(url) ?? [url];
  const asked = await Promise.all(urls.map((each) => ask(each, withinMs).catch((error: Error) => error)));
  const [found, errors] = [asked.filter(isFound), asked.filter((each) => each instanceof Error)];
  const [newest] = found
    .filter(({ isWritable }) => isWritable)
    .toSorted((one, other) => other.timeline - one.timeline);
  for (const each of found) if (each !== newest) void each.client.end().catch(() => {});
  if (!newest) throw markOutage(errors[0] ?? new Error('PostgreSQL is a standby and cannot be written to.'));
  if (timelines?.accepts(newest) ?? true) return newest;
  dropClient(newest.client);
  throw markOutage(new Error(formerPrimaryMessage));
}

const formerPrimaryMessage =
  'This PostgreSQL is a former primary: another one was promoted after it, and has changes that it does not have.';

const isFound = (each: FoundPostgres | Error): each is FoundPostgres => !(each instanceof Error);

async function ask(url: string, withinMs: number): Promise<FoundPostgres> {
  const { Client } = (await import('pg')).default;
  const client = new Client({
    connectionString: url,
    keepAlive: true,
  });
  client.on('error', () => {}); // the next query fails
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    dropClient(client);
  }, withinMs);
  try {
    await client.connect();
    return { url, client, ...(await readPostgresState(client)) };
  } catch (error) {
    dropClient(client);
    throw isLate ? new Error('PostgreSQL does not answer.', { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Closes a connection without waiting for the other side. Queries that wait for it fail at once. */
export const dropClient = (client: pg.ClientBase): void =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

/** Remembers the newest timeline, also after a restart, so that a former primary that is there alone is recognised. */
export interface TimelineMemory {
  /** False if a newer timeline of the same database was seen before. */
  accepts(state: Pick<PostgresState, 'system' | 'timeline'>): boolean;
}

export function openTimelineMemory(folder: string): TimelineMemory {
  const file = join(folder, 'database-timeline');
  let known = readKnown(file);
  return {
    accepts({ system, timeline }) {
      if (known?.system === system && known.timeline > timeline) return false;
      if (known?.system === system && known.timeline === timeline) return true;
      known = { system, timeline };
      remember(file, known);
      return true;
    },
  };
}

type KnownTimeline = Pick<PostgresState, 'system' | 'timeline'>;

function readKnown(file: string): KnownTimeline | undefined {
  try {
    const [system = '', timeline] = readFileSync(file, 'utf8').trim().split(' ');
    return { system, timeline: Number(timeline) };
  } catch {
    return undefined; // the first start
  }
}

function remember(file: string, { system, timeline }: KnownTimeline): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, `${system} ${timeline}\n`, { mode: 0o600, flush: true });
    chownToFolderOwner(`${file}.new`);
    renameSync(`${file}.new`, file);
  } catch {
    // The disk may be full: this server knows it until it stops.
  }
}
