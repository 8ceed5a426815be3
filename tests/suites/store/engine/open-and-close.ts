/**
 * A program that opens the store of a location, as a starting server does, and closes it once its standard
 * input ends.
 */
import { once } from 'node:events';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { openStore } from '@drawbridge/server/store/engine/open';

/** The statement at which it is killed. */
const cutAt = Number(process.env['CUT_AT'] ?? Infinity);
let count = 0;
const tick = (): void => {
  if (++count === cutAt) process.kill(process.pid, 'SIGKILL');
};

const prepare = SqliteDatabase.prototype.prepare;
SqliteDatabase.prototype.prepare = function (this: SqliteDatabase.Database, text: string) {
  tick();
  return prepare.call(this, text);
} as typeof prepare;
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  tick();
  return query.apply(this, given);
} as never;

process.stdout.write('loaded\n');
await once(process.stdin.resume(), 'end');
const [folder = '', url] = process.argv.slice(2);
const store = await openStore({ folder, url });
await store.ping();
await store.close();
