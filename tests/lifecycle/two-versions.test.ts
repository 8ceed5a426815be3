/** Servers of two versions on one database: the older one works, and can restart, until the contract step. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { migrations } from '@drawbridge/server/store/engine/migrate';
import { skipWithout } from '../kit/requirements.ts';
import { openDatabaseFor } from '../kit/server/database.ts';
import { startNats } from '../kit/server/nats.ts';
import { startService } from '../kit/server/service.ts';
import { createSharedSettings } from '../kit/server/shared-settings.ts';
import { createDataFolder } from './launched-server.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');
const later = migrations.length + 1;

async function openDeployment() {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const database = await openDatabaseFor('postgres');
  stack.defer(() => database.drop());
  const shared = stack.use(await createSharedSettings());
  const env: Record<string, string> = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: nats.url };
  const client = new pg.Client({ connectionString: env['DRAWBRIDGE_DATABASE'] });
  await client.connect();
  stack.defer(() => client.end());
  const moved = stack.move();
  return {
    env,
    sql: async (text: string) => (await client.query(text)).rows as Record<string, unknown>[],
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

/** Runs the later version; it is killed with its `using`. */
function runLater(env: Record<string, string>, ...words: string[]) {
  const data = createDataFolder();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'later-version-program.ts'), ...words], {
    env: {
      PATH: process.env['PATH'],
      DRAWBRIDGE_DATA: data.folder,
      DRAWBRIDGE_LISTEN: '127.0.0.1:0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(() => output);
  return {
    ended,
    async ready() {
      const early = ended.then(() => Promise.reject(new Error(output)));
      while (!output.includes('ready at')) await Promise.race([once(child.stdout, 'data'), early]);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      data[Symbol.dispose]();
    },
  };
}

describe('two versions on one database', { skip }, () => {
  test('the older server works and restarts beside the newer one until the contract step, which waits for it', async () => {
    await using deployment = await openDeployment();
    const { env, sql } = deployment;
    const stateOf = async () => [
      await sql(`select contracted from migration where number = ${later}`),
      (await sql(`select 1 from pg_attribute where attrelid = 'department'::regclass and attname = 'ldap'`))
        .length,
    ];
    const older = await startService({ env, realTime: true });
    const { owner } = await older.account();
    await using newer = runLater(env, 'start');
    await newer.ready();
    const expanded = await stateOf();

    const beside = await owner.call('groups/create', { name: 'Beside' });
    await older.restart();
    const { owner: restarted } = await older.account();
    const afterwards = await restarted.call('groups/create', { name: 'Restarted' });
    const refused = await runLater(env, 'migrate', '--contract').ended;
    const waiting = await stateOf();
    await older[Symbol.asyncDispose]();
    await using last = runLater(env, 'start');
    await last.ready();
    const contracted = await stateOf();
    const again = await runLater(env, 'migrate', '--contract').ended;

    assert.deepEqual([beside.http, afterwards.http], [200, 200]);
    assert.match(refused, /^drawbridge: A server of an older version is alive: upgrade or stop it first\./);
    assert.deepEqual(expanded, [[{ contracted: 0 }], 1]);
    assert.deepEqual(waiting, expanded);
    assert.deepEqual(contracted, [[{ contracted: 1 }], 0], 'the last one to be upgraded runs the step');
    assert.equal(again, `The database has schema ${later}.\n`);
    await assert.rejects(startService({ env, realTime: true }), {
      message: `The database has schema ${later}, but this Drawbridge supports schemas only up to ${migrations.length}: start a newer Drawbridge.`,
    });
  });

  test('an older server that seemed dead ends when the contract step has run meanwhile', async () => {
    await using deployment = await openDeployment();
    const { env, sql } = deployment;
    await using older = await startService({ env, realTime: true });

    await sql(`insert into migration (number, contracted) values (${later}, 1)`);

    assert.match((await older.server.broken).message, /^The database has schema/);
  });
});
