/** Maintenance of PostgreSQL: inspects it without changes, and replaces its contents in one transaction. */
import SqliteDatabase from 'better-sqlite3';
import { sql, type Kysely } from 'kysely';
import { readCounters as countersOfFile, readTableShapes } from './backup-file.ts';
import { copyTables } from './copy-tables.ts';
import type { Counters, Finding, InspectedDatabase } from '../engine/database.ts';
import { emptySchema, readSchema, type SchemaState } from '../engine/migrate.ts';
import { dropClient, findPrimary, startWithinMs } from '../engine/primary/postgres-hosts.ts';
import { openPool } from '../engine/postgres.ts';
import { accountConnections } from '../engine/primary/account-connections.ts';
import { migrateOnce } from '../engine/postgres-migration.ts';
import type { Tables } from '../engine/schema.ts';
import { toKysely } from '../engine/sqlite.ts';

/** The address of the host that can be written to. */
export async function primaryUrl(url: string): Promise<string> {
  const primary = await findPrimary(url, undefined, startWithinMs);
  dropClient(primary.client);
  return primary.url;
}

/** Runs `work` with a connection that sees all accounts. */
async function withConnection<Result>(
  url: string,
  work: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const pool = await openPool(await primaryUrl(url), 1);
  try {
    return await work(accountConnections(pool)('all'));
  } finally {
    await pool.end();
  }
}

export const inspectPostgres = (url: string): Promise<InspectedDatabase> =>
  withConnection(url, async (first) => ({
    ...(await readState(first)),
    snapshot: (read) =>
      withConnection(url, (db) =>
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute((tx) => read(tx)),
      ),
    counters: readCounters,
    examine: () => withConnection(url, examine),
    close: async () => {},
  }));

async function readState(db: Kysely<Tables>): Promise<SchemaState> {
  const { rows } = await sql<{
    found: boolean;
  }>`select to_regclass('migration') is not null as found`.execute(db);
  return rows[0]!.found ? readSchema(db) : emptySchema;
}

/** The sequence of each table with its current value. */
const sequences = sql<{ name: string; sequence: string; value: number | null }>`
  select name, sequence, pg_sequence_last_value(sequence::regclass) as value from (
    select c.relname as name, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace) found`;

async function readCounters(db: Kysely<Tables>): Promise<Counters> {
  const { rows } = await sequences.execute(db);
  return new Map(rows.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])));
}

/** Never lowers a counter. A rollback does not undo this, which only leaves a gap in the numbers. */
async function raiseCounters(db: Kysely<Tables>, counters: Counters): Promise<void> {
  const { rows } = await sequences.execute(db);
  for (const { name, sequence, value } of rows) {
    const highest = Math.max(value ?? 0, counters.get(name) ?? 0);
    if (highest > 0) await sql`select setval(${sequence}::regclass, ${highest})`.execute(db);
  }
}

export function fillPostgres(url: string, copy: string, replace: boolean): Promise<boolean> {
  return withConnection(url, async (db) => {
    await migrateOnce(db);
    const source = new SqliteDatabase(copy);
    try {
      return await db.transaction().execute((tx) => fill(toKysely(source), tx, replace));
    } finally {
      source.close();
    }
  });
}

async function fill(from: Kysely<Tables>, to: Kysely<Tables>, replace: boolean): Promise<boolean> {
  const shapes = await readTableShapes(from);
  await sql`lock table account in access exclusive mode`.execute(to);
  const { rows } = await sql`select 1 from account limit 1`.execute(to);
  if (rows.length > 0 && !replace) return false;
  await sql`truncate ${sql.join(shapes.map(({ name }) => sql.table(name)))}`.execute(to);
  await copyTables(from, to, shapes);
  await raiseCounters(to, await countersOfFile(from));
  // Without current statistics, the planner would read whole tables for a few rows.
  await sql`analyze ${sql.join(shapes.map(({ name }) => sql.table(name)))}`.execute(to);
  return true;
}

interface ServerSettings {
  who: string;
  special: boolean;
  fsync: string;
  synchronous: string;
  ms: number;
  open: string[];
}

/** The table with the schema number is not secret: it needs no row-level security. */
async function examine(db: Kysely<Tables>): Promise<Finding[]> {
  const { rows } = await sql<ServerSettings>`select current_user as who, rolsuper or rolbypassrls as special,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as ms,
    array(select relname::text from pg_class where relkind = 'r' and relname <> 'migration'
      and relnamespace = current_schema()::regnamespace
      and not (relrowsecurity and relforcerowsecurity) order by relname) as open
    from pg_roles where rolname = current_user`.execute(db);
  const settings = rows[0]!;
  return [rowSecurityFinding(settings), durabilityFinding(settings), clockFinding(settings, Date.now())];
}

function rowSecurityFinding({ who, special, open }: ServerSettings): Finding {
  const name = 'row-level security';
  if (special)
    return {
      name,
      state: 'warning',
      says: `${who} is a superuser or can bypass row-level security, which then does not separate the accounts: connect as a role without these rights.`,
    };
  return open.length === 0
    ? { name, state: 'ok', says: 'It separates the accounts in every table.' }
    : { name, state: 'problem', says: `It is off for ${open.join(', ')}: turn it on and force it.` };
}

const durabilityFinding = ({ fsync, synchronous }: ServerSettings): Finding =>
  fsync === 'on' && synchronous !== 'off'
    ? { name: 'durability', state: 'ok', says: 'Acknowledged changes are on disk.' }
    : {
        name: 'durability',
        state: 'problem',
        says: `fsync is ${fsync} and synchronous_commit ${synchronous}: a power cut loses acknowledged changes; set both to on.`,
      };

function clockFinding({ ms }: ServerSettings, now: number): Finding {
  const seconds = Math.round(Math.abs(ms - now) / 1_000);
  return seconds <= 5
    ? { name: 'clock of the database', state: 'ok', says: 'It agrees with the clock of this machine.' }
    : {
        name: 'clock of the database',
        state: 'warning',
        says: `It differs by ${seconds} s from the clock of this machine: synchronize both with a time server.`,
      };
}
