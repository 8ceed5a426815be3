/**
 * Migrations survive being killed at any statement, may start in several programs at once, and refuse newer
 * databases.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import {
  contract,
  expand,
  migrate,
  migrations,
  schemaVersion,
  type ListedMigration,
} from '@drawbridge/server/store/engine/migrate';
import type { MigrationSteps } from '@drawbridge/server/store/engine/migration';
import { openStore } from '@drawbridge/server/store/engine/open';
import { openPool } from '@drawbridge/server/store/engine/postgres';
import { accountConnections } from '@drawbridge/server/store/engine/primary/account-connections';
import { migrateOnce, postgresSchemaDialect } from '@drawbridge/server/store/engine/postgres-migration';
import {
  openConnection,
  databaseFile,
  toKysely,
  prepareDatabaseFile,
  sqliteSchemaDialect,
} from '@drawbridge/server/store/engine/sqlite';
import type { DatabaseOptions } from '@drawbridge/server/store/engine/database';
import { inspectDatabase, migrateDatabase } from '@drawbridge/server/store/engine/dialect';
import { backUp } from '@drawbridge/server/store/upkeep/backup';
import { prepareCopy } from '@drawbridge/server/store/upkeep/backup-file';
import { newSqliteSchema, postgresSchema, sqliteSchema } from '../../../../scripts/schema-dump.ts';
import { bundleArguments } from '../../../kit/process.ts';
import { databases, type DatabaseKind } from '../../../kit/server/database.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { openAccount } from '../fixture.ts';
import { accountTables as tables } from '../account-tables.ts';
import { createStorePlace, openSql } from '../test-store.ts';

/**
 * A migration as a later version might bring: it changes tables that hold data, fills them and creates new
 * ones.
 */
const later = {
  expand: ({ key, int, reference }) => [
    `alter table agent_group add column color text not null default ''`,
    `update agent_group set color = 'red'`,
    `create table shelf (id ${key}, account_id ${reference('account(account_id)', 'cascade')} not null, size ${int})`,
    `insert into shelf (account_id, size) select account_id, 1 from account`,
    `create unique index shelf_account on shelf (account_id)`,
  ],
  contract: () => [
    `update agent_group set color = 'blue' where color = ''`,
    `alter table department drop column ldap`,
  ],
} satisfies MigrationSteps;

/** Two migrations whose contract steps have another result in another order, or if one of them runs twice. */
const ordered: readonly MigrationSteps[] = [
  {
    expand: () => [`alter table agent_group add column color text not null default ''`],
    contract: () => [`update agent_group set color = 'blue' where color = ''`],
  },
  { contract: () => [`update agent_group set color = color || '!'`] },
];

/** The numbers of all migrations that the program knows. */
const numbers = (): { number: number }[] => migrations.map((_, index) => ({ number: index + 1 }));

/** Adds the later migration to the program, for one test. */
function learnLater(context: TestContext): void {
  (migrations as ListedMigration[]).push(later);
  context.after(() => void (migrations as ListedMigration[]).pop());
}

/** Runs the work as a version that has these migrations too. */
async function asLater(steps: readonly MigrationSteps[], work: () => Promise<void>): Promise<void> {
  const known = migrations.length;
  (migrations as ListedMigration[]).push(...steps);
  await work().finally(() => (migrations as ListedMigration[]).splice(known));
}

/** Runs programs that open the store at the same moment, once all are loaded; returns how they ended. */
async function opening(
  place: DatabaseOptions,
  programs: number,
  cutAt?: number,
): Promise<(number | string)[]> {
  const program = join(import.meta.dirname, 'open-and-close.ts');
  const args = [...bundleArguments(), program, place.folder, ...(place.url === undefined ? [] : [place.url])];
  const env = { ...process.env, ...(cutAt !== undefined && { CUT_AT: String(cutAt) }) };
  const children = Array.from({ length: programs }, () =>
    spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const ends = children.map((child) => once(child, 'exit') as Promise<[number | null, string | null]>);
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  for (const child of children) child.stdin.end();
  return (await Promise.all(ends)).map(([code, signal]) => code ?? signal!);
}

async function schemaAt(place: DatabaseOptions): Promise<string> {
  if (place.url === undefined) {
    const file = new SqliteDatabase(databaseFile(place.folder), { readonly: true });
    try {
      return sqliteSchema(file);
    } finally {
      file.close();
    }
  }
  const beside = await openSql(place);
  try {
    return await postgresSchema(beside.sql);
  } finally {
    await beside.close();
  }
}

/** The schema that an undisturbed start creates. */
async function wholeSchema(kind: DatabaseKind): Promise<string> {
  if (kind === 'sqlite') return newSqliteSchema();
  await using made = await createStorePlace(kind);
  await (await openStore(made.place)).close();
  return await schemaAt(made.place);
}

/** The data from before the later migration, and what it made of it. */
async function checkLater(place: DatabaseOptions, groups: number): Promise<void> {
  const beside = await openSql(place);
  try {
    const colors = await beside.sql('select color from agent_group');
    assert.deepEqual(
      colors.map((row) => row['color']),
      Array(groups).fill('red'),
    );
    assert.equal((await beside.sql('select * from shelf')).length, 1);
    assert.deepEqual(await beside.sql('select number from migration order by number'), numbers());
  } finally {
    await beside.close();
  }
}

/** What has become of `ordered`: which contract steps have run, and what they made of the groups. */
async function stepsAt(place: DatabaseOptions): Promise<{ contracted: unknown[]; colors: unknown[] }> {
  const beside = await openSql(place);
  try {
    const steps = await beside.sql(
      `select contracted from migration where number > ${migrations.length} order by number`,
    );
    const groups = await beside.sql('select color from agent_group');
    return { contracted: steps.map((row) => row['contracted']), colors: groups.map((row) => row['color']) };
  } finally {
    await beside.close();
  }
}

/** Fills a location with some data on the current schema. */
async function fill(place: DatabaseOptions): Promise<void> {
  const store = await openStore(place);
  const account = await openAccount(store);
  for (let count = 0; count < 3; count++) await account.group();
  await store.close();
}

/**
 * Migrates, and keeps a copy of the disk before each statement: what a process that is killed there leaves
 * behind. The connection's cache is so small that uncommitted data reaches the disk too.
 */
async function moments(folder: string, aside: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const database = openConnection(databaseFile(folder));
  database.pragma('cache_size = 1');
  const kept: string[] = [];
  const prepare = database.prepare.bind(database) as (text: string) => SqliteDatabase.Statement;
  database.prepare = ((text: string) => {
    const place = join(aside, String(kept.length));
    mkdirSync(place);
    for (const end of ['', '-wal'])
      if (existsSync(databaseFile(folder) + end))
        copyFileSync(databaseFile(folder) + end, databaseFile(place) + end);
    kept.push(place);
    return prepare(text);
  }) as typeof database.prepare;
  await migrate(toKysely(database), sqliteSchemaDialect);
  database.close();
  return kept;
}

/** The schema after each migration, by its number. */
async function schemasOnTheWay(): Promise<string[]> {
  const database = new SqliteDatabase(':memory:');
  const schemas = [''];
  for (let number = 1; number <= migrations.length; number++) {
    await migrate(toKysely(database), sqliteSchemaDialect, number);
    schemas.push(sqliteSchema(database));
  }
  database.close();
  return schemas;
}

/**
 * Completes the migration that was interrupted, and returns its number. Those after it begin as after an undisturbed
 * one: to run them too would take quadratic time.
 */
async function completeOne(folder: string): Promise<number> {
  const database = openConnection(databaseFile(folder));
  const db = toKysely(database);
  try {
    await expand(db, sqliteSchemaDialect, 0);
    await expand(db, sqliteSchemaDialect, Math.min((await schemaVersion(db)) + 1, migrations.length));
    await contract(db, sqliteSchemaDialect);
    return await schemaVersion(db);
  } finally {
    database.close();
  }
}

function someFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-migrations-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('on SQLite, the next start completes a first start that was killed at any statement', async (context) => {
  const folder = someFolder(context);
  const kept = await moments(join(folder, 'whole'), folder);

  const schemas = await schemasOnTheWay();
  assert.ok(kept.length > 2 * migrations.length);
  for (const [at, place] of kept.entries()) {
    const number = await completeOne(place);
    assert.equal(await schemaAt({ folder: place }), schemas[number], `statement ${at}`);
  }
  assert.equal(await schemaAt({ folder: join(folder, 'whole') }), newSqliteSchema());
});

test('on SQLite, a later migration that is killed at any statement keeps the data and is completed', async (context) => {
  const folder = someFolder(context);
  const whole = join(folder, 'whole');
  await fill({ folder: whole });
  learnLater(context);
  const kept = await moments(whole, folder);
  const schema = await schemaAt({ folder: whole });

  for (const [at, place] of kept.entries()) {
    await completeOne(place);
    assert.equal(await schemaAt({ folder: place }), schema, `statement ${at}`);
    await checkLater({ folder: place }, 3);
  }
});

test('a step that expands removes and renames nothing, and adds only columns that older servers need not fill', () => {
  const expanding = migrations.flatMap((each) => ('whole' in each ? [] : (each.expand ?? [])));
  const statements = expanding.flatMap((step) => step(postgresSchemaDialect));
  assert.ok(statements.length > 0);
  for (const statement of statements) {
    assert.doesNotMatch(statement, /\b(drop|rename|delete|set not null|type)\b/);
    if (/add column .*not null/.test(statement)) assert.match(statement, /default/);
  }
});

test('a backup and its restore work between the two steps', async (context) => {
  const folder = someFolder(context);
  await fill({ folder });
  learnLater(context);
  await prepareDatabaseFile(folder, false);
  const inspected = (await inspectDatabase({ folder }))!;
  const file = join(folder, 'backup.db');

  const made = await backUp(inspected, file, { force: false });
  await inspected.close();
  const copied = new SqliteDatabase(file);
  const isOpen = copied.prepare(`select contracted from migration where number = ${migrations.length}`);
  const before = isOpen.pluck().get();
  copied.close();
  await prepareCopy(file);

  assert.deepEqual([inspected.pending, before], [[migrations.length], 0]);
  assert.equal('accounts' in made && made.accounts, 1);
  const restored = new SqliteDatabase(file, { readonly: true });
  assert.equal(sqliteSchema(restored), newSqliteSchema());
  restored.close();
});

/**
 * Migrates PostgreSQL, reporting each statement before it is sent, with a function that breaks the connection
 * there.
 */
async function migrateTelling(
  url: string,
  onStatement: (at: number, breakOff: () => void) => Promise<void> | void,
): Promise<void> {
  const pool = await openPool(url, 1);
  let count = 0;
  pool.on('connect', (client) => {
    const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    client.query = (async (...given: unknown[]) => {
      await onStatement(++count, () => stream.destroy());
      return query(...given);
    }) as unknown as typeof client.query;
  });
  try {
    await migrateOnce(accountConnections(pool)('all'));
  } finally {
    await pool.end();
  }
}

/** Breaks the connection at every n-th statement in turn, on the same database, until it gets through. */
async function breakAtEvery(step: number, url: string): Promise<number> {
  for (let breaks = 0; ; breaks++) {
    let broke = false;
    const migrated = migrateTelling(url, (at, breakOff) => {
      broke ||= at === 1 + breaks * step;
      if (at === 1 + breaks * step) breakOff();
    });
    await migrated.catch((error: unknown) => assert.ok(broke, String(error)));
    if (!broke) return breaks;
  }
}

/** The tables, columns, indexes, policies and constraints, read without waiting for a migration that changes them. */
const schemaObjects = `
  select relname || '.' || attname || ' ' || relrowsecurity as name
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
  union all select 'policy ' || polname from pg_policy
  union all select 'constraint ' || conname from pg_constraint where connamespace = 'public'::regnamespace
  order by name`;

describe('on PostgreSQL', { skip: skipWithout('PostgreSQL') }, () => {
  test('a server continues to read and write when a newer one adds columns to tables that it reads as a whole', async () => {
    await using made = await createStorePlace('postgres', true);
    const store = await openStore({ ...made.place, poolSize: 1 });
    const beside = await openSql(made.place);
    const alive = () =>
      store.change('nodes/alive', { id: 'n', hasBus: true, shared: {}, aliveUntil: store.now() + 20 });
    const { accountId } = await openAccount(store);
    const read = () => store.groups.list(accountId, 'all');
    await alive();
    await read();

    for (const table of ['node', 'agent_group'])
      await beside.sql(`alter table ${table} add column color text not null default ''`);

    assert.deepEqual((await alive()).others, []);
    assert.deepEqual(await read(), []);
    await beside.close();
    await store.close();
  });

  test('each contract step waits for the servers that do not know it, and for no others', async () => {
    await using made = await createStorePlace('postgres', true);
    await fill(made.place);
    const beside = await openSql(made.place);
    const start = async (): Promise<unknown[]> => {
      await asLater(ordered, () => migrateDatabase({ ...made.place, contracts: true }));
      return (await stepsAt(made.place)).contracted;
    };
    const known = migrations.length;
    await beside.sql(`insert into node (id, alive_until, has_bus, shared, schema)
      values ('n', extract(epoch from now())::bigint + 600, 1, '{}', ${known})`);

    const besideOlder = await start();
    await beside.sql(`update node set schema = ${known + 1}`);
    const besideNext = await start();
    await beside.sql(`update node set alive_until = extract(epoch from now())::bigint - 1`);
    const alone = await start();

    assert.deepEqual(
      [besideOlder, besideNext, alone],
      [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    );
    await beside.close();
  });

  test('at no statement of a first start can a crash leave anything half done', async () => {
    await using made = await createStorePlace('postgres');
    const beside = await openSql(made.place);
    const left = async (): Promise<string[]> =>
      (await beside.sql(`select tablename from pg_tables where schemaname = 'public'`)).map((row) =>
        String(row['tablename']),
      );
    const schema = async (): Promise<string> =>
      (await beside.sql(schemaObjects)).map((row) => String(row['name'])).join('\n');
    const seen: string[] = [];

    await migrateTelling(made.place.url!, async () => void seen.push(await schema()));

    assert.ok(seen.length > 2 * migrations.length);
    const whole = await left();
    assert.equal(whole.length, Object.keys(tables).length + 7);
    const states = [...new Set(seen)];
    assert.deepEqual([states[0], states.at(-1)], ['', await schema()]);
    assert.match(states[1]!, /^((constraint )?migration.*\n?)+$/);
    assert.equal(states.length, migrations.length + 2, 'each migration is seen as a whole');
    await beside.close();
  });

  test('the next start completes a first start whose connection broke at any statement', async () => {
    await using made = await createStorePlace('postgres');

    const breaks = await breakAtEvery(12, made.place.url!);

    assert.ok(breaks > 8, `${breaks} breaks`);
    assert.equal(await schemaAt(made.place), await wholeSchema('postgres'));
  });

  test('a later migration whose connection breaks at any statement keeps the data and is completed', async (context) => {
    await using made = await createStorePlace('postgres');
    await fill(made.place);
    learnLater(context);

    const breaks = await breakAtEvery(1, made.place.url!);

    assert.ok(breaks > later.expand(postgresSchemaDialect).length, `${breaks} breaks`);
    await checkLater(made.place, 3);
  });
});

for (const { kind, skip } of databases)
  describe(`migrations on ${kind}`, { skip }, () => {
    test('a program that is killed while it migrates does no damage', async () => {
      await using made = await createStorePlace(kind);

      for (const cutAt of [2, 50]) assert.deepEqual(await opening(made.place, 1, cutAt), ['SIGKILL']);
      assert.deepEqual(await opening(made.place, 1), [0]);

      assert.equal(await schemaAt(made.place), await wholeSchema(kind));
    });

    test('programs that start at the same moment on an empty location all get a store, migrated once', async () => {
      await using made = await createStorePlace(kind);

      const ends = await opening(made.place, 3);

      assert.deepEqual(ends, [0, 0, 0]);
      assert.equal(await schemaAt(made.place), await wholeSchema(kind));
      const beside = await openSql(made.place);
      assert.deepEqual(await beside.sql('select number from migration order by number'), numbers());
      await beside.close();
    });

    test('a database of a newer version is refused in one sentence, and left unchanged', async () => {
      await using made = await createStorePlace(kind);
      await fill(made.place);
      const beside = await openSql(made.place);
      await beside.sql('insert into migration (number) values (99)');

      await assert.rejects(
        openStore(made.place),
        new Error(
          `The database has schema 99, but this Drawbridge supports schemas only up to ${migrations.length}: start a newer Drawbridge.`,
        ),
      );

      assert.equal((await beside.sql('select id from agent_group')).length, 3);
      assert.equal(await schemaAt(made.place), await wholeSchema(kind));
      await beside.close();
    });

    test('contract steps run in their order, once, and fill in what an older program wrote between the two steps', async () => {
      await using made = await createStorePlace(kind);
      await fill(made.place);
      const start = (contracts: boolean): Promise<void> =>
        asLater(ordered, () => migrateDatabase({ ...made.place, contracts }));
      await start(false);
      const expanded = await stepsAt(made.place);
      await fill(made.place);

      await start(true);
      await start(true);

      assert.deepEqual(expanded, { contracted: [0, 0], colors: Array(3).fill('') });
      assert.deepEqual(await stepsAt(made.place), { contracted: [1, 1], colors: Array(6).fill('blue!') });
      await assert.rejects(openStore(made.place), /start a newer Drawbridge/);
    });

    test('written data is there when the store is opened again', async () => {
      await using made = await createStorePlace(kind);
      await fill(made.place);

      const store = await openStore(made.place);
      const [account] = await store.accounts.list();
      const groups = await store.groups.list(account!.accountId, 'all');
      await store.close();

      assert.equal(groups.length, 3);
    });
  });
