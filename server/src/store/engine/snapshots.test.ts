/** What a reader of the embedded database sees, and when it reads again. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { openSnapshots } from './snapshots.ts';

/** A table of names with one writer and one reader; `reads` counts the queries that reached the database. */
function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-snapshots-'));
  const file = join(folder, 'names.db');
  const writer = new SqliteDatabase(file);
  writer.pragma('journal_mode = WAL');
  writer.exec('create table name (id integer primary key, name text)');
  const reader = new SqliteDatabase(file, { readonly: true });
  t.after(() => {
    reader.close();
    writer.close();
    rmSync(folder, { recursive: true });
  });
  const snapshots = openSnapshots(reader);
  const statement = reader.prepare('select name from name where id >= ?').pluck();
  const asked = t.mock.method(statement, 'all');
  return {
    snapshots,
    close: () => reader.close(),
    reads: () => asked.mock.callCount(),
    add: (name: string) => writer.prepare('insert into name (name) values (?)').run(name),
    names: snapshots.reading(statement),
  };
}

test('commits of others are visible in the next turn of the event loop', async (t) => {
  const { add, names } = open(t);
  add('Ann');

  const before = names([0]);
  add('Ben');
  const sameTurn = names([0]);
  await nextTurn();

  assert.deepEqual([before, sameTurn, names([0])], [['Ann'], ['Ann'], ['Ann', 'Ben']]);
});

test('after renew(), a commit is visible at once', (t) => {
  const { add, names, snapshots } = open(t);
  add('Ann');

  const before = names([0]);
  add('Ben');
  snapshots.renew();

  assert.deepEqual([before, names([0])], [['Ann'], ['Ann', 'Ben']]);
});

test('without commits, the same query runs once across turns', async (t) => {
  const { add, names, reads } = open(t);
  add('Ann');

  for (let turn = 0; turn < 5; turn += 1) {
    assert.deepEqual([names([0]), names([2])], [['Ann'], []]);
    await nextTurn();
  }

  assert.equal(reads(), 2);
});

test('every commit makes all queries run again', async (t) => {
  const { add, names, reads } = open(t);

  for (let turn = 1; turn <= 5; turn += 1) {
    add('Ann');
    assert.equal(names([0]).length, turn);
    await nextTurn();
  }

  assert.equal(reads(), 5);
});

test('long results, and results beyond a thousand per statement, are not cached', async (t) => {
  const { add, names, reads } = open(t);
  for (let count = 0; count < 101; count += 1) add('Ann');

  names([0]);
  names([0]);
  const long = reads();
  for (let id = 1_000; id < 2_001; id += 1) names([id]);
  names([1_000]);
  names([2_000]);

  assert.deepEqual([long, reads()], [2, 2 + 1_001 + 1]);
});

test('a database that is closed in the middle of a turn is not used any more', async (t) => {
  const { close, names, snapshots } = open(t);
  names([0]);

  close();
  snapshots.renew();

  await nextTurn();
});
