/** What remains of secrets in the files of SQLite after the first start with a key: nothing, also of those that were removed before. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { openStore } from '@drawbridge/server/store/engine/open';
import { prepareDatabaseFile } from '@drawbridge/server/store/engine/sqlite';
import { createSecretBox, toSecretKey } from '@drawbridge/server/store/secrets/secret-box';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDirectory, someProvider, someWebhook, unique } from '../fixture.ts';
import { createStorePlace, openSql } from '../test-store.ts';

const someKey = toSecretKey(Buffer.alloc(32, 7))!;
const secretsOf = (kind: string): string[] => Array.from({ length: 4 }, () => `${kind}-${unique()}`);

/** Secrets in clear, of a server without a key: those that are in use, and those that were removed before it ended. */
async function storeInClear(folder: string) {
  const store = await openStore({ folder });
  const { accountId, owner } = await openAccount(store);
  const ofAccount = { accountId, by: owner.id };
  const [used, removed] = [secretsOf('used'), secretsOf('removed')];
  for (const clientSecret of used)
    await must(store, 'providers/create', {
      ...ofAccount,
      ...someProvider,
      clientSecret,
      signInName: unique(),
    });
  for (const bindPassword of removed) {
    const made = await must(store, 'directories/create', { ...ofAccount, ...someDirectory, bindPassword });
    await must(store, 'directories/remove', { ...ofAccount, id: made.id });
  }
  for (const secret of used) await must(store, 'webhooks/create', { ...someWebhook(accountId), secret });
  await store.close();
  return { used, removed };
}

/** Those of the texts that are in any file of the folder. */
function found(folder: string, texts: readonly string[]): string[] {
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  return texts.filter((text) => bytes.some((each) => each.includes(text)));
}

/** Returns what was reported of remnants. */
async function openSealed(folder: string): Promise<string[]> {
  const reported: string[] = [];
  const onRemnants = (step: 'begin' | Error): void =>
    void reported.push(step === 'begin' ? step : step.message);
  await (await openStore({ folder, secrets: createSecretBox([someKey]), onRemnants })).close();
  return reported;
}

/** Makes SQLite find no space to rewrite the file, until the returned function is called. */
function refuseVacuum(context: TestContext): () => void {
  const plain = SqliteDatabase.prototype.exec;
  SqliteDatabase.prototype.exec = function (this: SqliteDatabase.Database, text) {
    if (text === 'vacuum') throw new SqliteDatabase.SqliteError('database or disk is full', 'SQLITE_FULL');
    return plain.call(this, text);
  };
  const allow = (): void => void (SqliteDatabase.prototype.exec = plain);
  context.after(allow);
  return allow;
}

test('after the first start with a key no secret is in the file, its log or its unused parts', async () => {
  await using made = await createStorePlace('sqlite', true);
  const { folder } = made.place;
  // Another program that has the file open, such as a backup: SQLite then keeps the log when a server ends.
  await prepareDatabaseFile(folder);
  const other = await openSql(made.place);
  await other.sql('select * from account');
  const { used, removed } = await storeInClear(folder);
  const before = found(folder, [...used, ...removed]);

  await openSealed(folder);
  const after = found(folder, [...used, ...removed]);
  await other.close();

  assert.deepEqual([before, after], [[...used, ...removed], []]);
});

test('without space to rewrite the file the secrets in use are erased, and the others at a start with space', async (context) => {
  await using made = await createStorePlace('sqlite', true);
  const { folder } = made.place;
  const { used, removed } = await storeInClear(folder);
  const before = found(folder, used);
  const allow = refuseVacuum(context);

  const reported = [await openSealed(folder), await openSealed(folder)];
  assert.deepEqual([before, found(folder, used)], [used, []]);
  assert.ok(found(folder, removed).length > 0);
  allow();
  reported.push(await openSealed(folder), await openSealed(folder));

  assert.deepEqual(found(folder, removed), []);
  const failed = ['begin', 'database or disk is full'];
  assert.deepEqual(reported, [failed, failed, ['begin'], []]);
});

test('while another program reads an older state, secrets can be left, and the next start erases them', async () => {
  await using made = await createStorePlace('sqlite', true);
  const { folder } = made.place;
  const { removed } = await storeInClear(folder);
  const other = await openSql(made.place);
  await other.sql('begin');
  await other.sql('select * from account');

  const reported = [await openSealed(folder)];
  await other.close();
  reported.push(await openSealed(folder));

  assert.deepEqual(found(folder, removed), []);
  assert.deepEqual(reported, [['begin', 'another program reads the database'], ['begin']]);
});
