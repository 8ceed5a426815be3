/** A database file that is damaged, or that has lost changes that were stored: the server does not start on it and says what to do. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { eventually } from '../kit/eventually.ts';
import { createDataFolder, launchServer, runToEnd } from './launched-server.ts';

test('a database whose log was lost is refused until the loss is accepted', async () => {
  using data = createDataFolder();
  const env = { DRAWBRIDGE_DATA: data.folder };
  const file = join(data.folder, 'drawbridge.db');
  const server = await launchServer(env);
  await eventually(
    () => existsSync(`${file}-mark`) && readFileSync(`${file}-mark`, 'utf8'),
    (text) => text !== false && Number(text) > 0,
  );
  await server[Symbol.asyncDispose]();
  rmSync(`${file}-wal`);

  const refused = await runToEnd(env);
  const [, command] = /accept the loss with rm (\S+)\.\n$/.exec(refused.err) ?? [];
  rmSync(command!);
  await using _again = await launchServer(env);

  assert.equal(refused.code, 1);
  assert.equal(
    refused.err,
    `Drawbridge could not start: changes that were stored are missing from ${file}: restore a backup, or accept the loss with rm ${file}-mark.\n`,
  );
});

test('a damaged database is refused at the start', async () => {
  using data = createDataFolder();
  const env = { DRAWBRIDGE_DATA: data.folder };
  const file = join(data.folder, 'drawbridge.db');
  await (await launchServer(env))[Symbol.asyncDispose]();
  const database = new SqliteDatabase(file);
  const page = database
    .prepare(`select rootpage from sqlite_schema where name = 'role_account'`)
    .pluck()
    .get() as number;
  database.close(); // as the last connection it writes the log into the file
  const at = (page - 1) * 4_096;
  writeFileSync(file, readFileSync(file).fill(0xff, at + 8, at + 64));

  const { code, err } = await runToEnd(env);

  assert.equal(code, 1);
  assert.match(
    err,
    /^Drawbridge could not start: \S+drawbridge\.db is damaged \(.+\): restore a backup\.\n$/,
  );
});
