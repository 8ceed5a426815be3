/** The committed dumps of the schema are what the migrations make of an empty database. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { databaseFile } from '@drawbridge/server/store/engine/sqlite';
import { readCommitted, projectRoot } from '../../../../scripts/derived-files.ts';
import { postgresSchema, sqliteSchema } from '../../../../scripts/schema-dump.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { openTestStore } from '../test-store.ts';

const dump = 'docs/schema.postgres.sql';
const refresh = 'REFRESH_SCHEMA=1 npm test tests/suites/store/engine/schema.test.ts';

test('the dump for SQLite is the schema of a database that a server made', async () => {
  await using opened = await openTestStore('sqlite');
  const file = new SqliteDatabase(databaseFile(opened.place.folder), { readonly: true });
  const schema = sqliteSchema(file);
  file.close();

  assert.equal(readCommitted('docs/schema.sqlite.sql'), schema, 'npm run derive writes it');
});

test(
  'the dump for PostgreSQL is the schema of a database that a server made',
  { skip: skipWithout('PostgreSQL') },
  async () => {
    await using opened = await openTestStore('postgres');
    const schema = await postgresSchema(opened.sql);

    if (process.env['REFRESH_SCHEMA'] === '1') writeFileSync(new URL(dump, projectRoot), schema);
    assert.equal(
      readCommitted(dump),
      schema,
      `${dump} is not what the migrations make: ${refresh} writes it`,
    );
  },
);
