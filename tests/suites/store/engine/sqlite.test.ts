/**
 * What durability on SQLite depends on: the settings of each connection, and commits that are grouped and
 * separated correctly.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { isFault } from '@drawbridge/contract/faults';
import { openConnection, databaseFile, prepareDatabaseFile } from '@drawbridge/server/store/engine/sqlite';
import { openAccount } from '../fixture.ts';
import { openTestStore } from '../test-store.ts';

function someFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-sqlite-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes SQLite ignore one of its settings, or use another value. */
function ignorePragma(context: TestContext, setting: string, instead?: string): void {
  const plain = SqliteDatabase.prototype.pragma;
  SqliteDatabase.prototype.pragma = function (this: SqliteDatabase.Database, text, options) {
    if (text !== setting) return plain.call(this, text, options);
    return instead === undefined ? [] : plain.call(this, instead);
  };
  context.after(() => void (SqliteDatabase.prototype.pragma = plain));
}

/** Holds the file's write lock, so that changes submitted meanwhile wait and then share one commit. */
function holdLock(folder: string): () => void {
  const holder = new SqliteDatabase(databaseFile(folder));
  holder.exec('begin immediate');
  return () => void (holder.exec('rollback'), holder.close());
}

for (const [setting, instead, left] of [
  ['journal_mode = WAL', undefined, 'delete,2,1'],
  ['synchronous = FULL', 'synchronous = NORMAL', 'wal,1,1'],
  ['synchronous = FULL', 'synchronous = OFF', 'wal,0,1'],
  ['foreign_keys = ON', 'foreign_keys = OFF', 'wal,2,0'],
] as const)
  test(`a connection on which ${instead ?? `not ${setting}`} is in effect is refused`, (context) => {
    const file = join(someFolder(context), 'some.db');
    ignorePragma(context, setting, instead);

    assert.throws(() => openConnection(file), new Error(`SQLite did not take its settings: ${left}.`));
  });

test('a connection for reading gets the same settings, and cannot write', async (context) => {
  const folder = someFolder(context);
  await prepareDatabaseFile(folder);
  const reader = openConnection(databaseFile(folder), { readonly: true });
  context.after(() => reader.close());

  assert.throws(() => reader.exec('delete from account'), /readonly/);
  ignorePragma(context, 'synchronous = FULL', 'synchronous = NORMAL');
  assert.throws(
    () => openConnection(databaseFile(folder), { readonly: true }),
    /did not take its settings: wal,1,1/,
  );
});

test('changes that wait at the same time share commits', async () => {
  const commits: number[] = [];
  await using opened = await openTestStore('sqlite', { onCommit: (changes) => void commits.push(changes) });
  const { accountId } = await openAccount(opened.store);
  const release = holdLock(opened.place.folder);
  commits.length = 0;

  const made = Array.from({ length: 300 }, (_, at) =>
    opened.store.change('groups/create', { accountId, name: `g${at}` }),
  );
  release();
  await Promise.all(made);

  assert.equal(
    commits.reduce((sum, each) => sum + each, 0),
    300,
  );
  assert.ok(commits.length <= 10, `${commits.length} commits`);
  assert.equal((await opened.store.groups.list(accountId, 'all')).length, 300);
});

test('a commit holds no more than 512 changes, so that the first need not wait for ever', async () => {
  const commits: number[] = [];
  await using opened = await openTestStore('sqlite', { onCommit: (changes) => void commits.push(changes) });
  const { accountId } = await openAccount(opened.store);
  const release = holdLock(opened.place.folder);

  const made = Array.from({ length: 1_200 }, (_, at) =>
    opened.store.change('groups/create', { accountId, name: `g${at}` }),
  );
  release();
  await Promise.all(made);

  assert.ok(Math.max(...commits) <= 512, commits.join());
});

test('a change that fails or is refused does not affect the others of its commit', async () => {
  await using opened = await openTestStore('sqlite');
  const { store } = opened;
  const account = await openAccount(store);
  const { accountId } = account;
  const { code } = await account.invitation();
  const release = holdLock(opened.place.folder);

  const outcomes = Promise.allSettled([
    store.change('groups/create', { accountId, name: 'before' }),
    account.invitation({ codes: [code] }),
    store.change('groups/create', { accountId, name: 'between' }),
    store.change('groups/remove', { accountId, id: 999_999 }),
    store.change('groups/create', { accountId, name: 'after' }),
  ]);
  release();

  const [one, failed, two, refused, three] = await outcomes;
  assert.deepEqual(
    [one, two, three].map((each) => each?.status),
    Array(3).fill('fulfilled'),
  );
  assert.match(
    String(failed?.status === 'rejected' && failed.reason),
    /invitations\/create failed: every invitation code/,
  );
  assert.ok(refused?.status === 'fulfilled' && isFault(refused.value));
  const names = (await store.groups.list(accountId, 'all')).map((each) => each.name);
  assert.deepEqual(names, ['before', 'between', 'after']);
});

test('when a commit fails, all changes in it fail, nothing of it is stored, and the next one works', async () => {
  await using opened = await openTestStore('sqlite');
  const { store, sql } = opened;
  const { accountId } = await openAccount(store);
  const create = (name: string) => store.change('groups/create', { accountId, name });
  // Creating a group called poison leaves a dangling reference, which is checked when the commit is due.
  await sql('create table broken (id integer references account(account_id) deferrable initially deferred)');
  await sql(`create trigger poison after insert on agent_group when new.name = 'poison'
             begin insert into broken values (-1); end`);
  const release = holdLock(opened.place.folder);

  const outcomes = Promise.allSettled(['a', 'poison', 'b'].map(create));
  release();

  for (const outcome of await outcomes)
    assert.match(
      String(outcome.status === 'rejected' && outcome.reason),
      /The change could not be stored: SqliteError: FOREIGN KEY constraint failed/,
    );
  assert.deepEqual(await store.groups.list(accountId, 'all'), []);
  await create('c');
  assert.equal((await store.groups.list(accountId, 'all')).length, 1);
});

test('while the writer waits for the disk, reads and everything else continue', async () => {
  await using opened = await openTestStore('sqlite');
  const { store } = opened;
  const { accountId } = await openAccount(store);
  const release = holdLock(opened.place.folder);
  let settled = false;

  // If this thread ran the change, it would wait here for a lock that only this thread can release.
  const change = store.change('groups/create', { accountId, name: 'late' }).then(() => (settled = true));
  for (let turn = 0; turn < 50; turn++) {
    await new Promise((resolve) => void setImmediate(resolve));
    assert.deepEqual(await store.groups.list(accountId, 'all'), []);
  }
  assert.equal(settled, false);
  release();
  await change;

  assert.equal((await store.groups.list(accountId, 'all')).length, 1);
});

test('a change is on disk for others when it resolves', async () => {
  await using opened = await openTestStore('sqlite');
  const { accountId } = await openAccount(opened.store);

  for (let at = 0; at < 20; at++) {
    await opened.store.change('groups/create', { accountId, name: `g${at}` });
    const [row] = await opened.sql(`select count(*) as n from agent_group where account_id = ${accountId}`);
    assert.equal(row?.['n'], at + 1);
  }
});

test('a closed store completes pending changes and refuses later ones', async () => {
  await using opened = await openTestStore('sqlite');
  const { store } = opened;
  const { accountId } = await openAccount(store);
  const create = (name: string) => store.change('groups/create', { accountId, name });

  const pending = Array.from({ length: 50 }, (_, at) => create(`g${at}`));
  const closed = store.close();
  const [late] = await Promise.allSettled([create('late'), ...pending, closed]);

  await assert.rejects(create('later'), /The store is closed/);
  const [row] = await opened.sql('select count(*) as n from agent_group');
  assert.equal(row?.['n'], late.status === 'fulfilled' ? 51 : 50);
});
