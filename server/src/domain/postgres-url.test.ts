/** Tests the addresses of PostgreSQL with several hosts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresUrlsOf } from './postgres-url.ts';

test('each host has an address with the same user, database and options, without the choice of a session', () => {
  assert.deepEqual(
    postgresUrlsOf(
      'postgres://u:p%40w@one:5432,two:5433/main?sslmode=verify-full&target_session_attrs=primary',
    ),
    [
      'postgres://u:p%40w@one:5432/main?sslmode=verify-full',
      'postgres://u:p%40w@two:5433/main?sslmode=verify-full',
    ],
  );
  assert.deepEqual(postgresUrlsOf('postgres:///main?host=/run/postgresql'), [
    'postgres:///main?host=/run/postgresql',
  ]);
});

test('an address with an empty host, a wrong port or too many hosts is none', () => {
  for (const text of [
    'postgres://one,,two/main',
    'postgres://one:99999,two/main',
    `postgres://${Array(11).fill('one').join(',')}/main`,
    'postgres://one,two/main?target_session_attrs=prefer-standby',
  ])
    assert.equal(postgresUrlsOf(text), undefined, text);
});
