/** A PostgreSQL that fails over to its standby, comes back, or is frozen, as seen by a server that writes to it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@drawbridge/client';
import { startPostgresPair, type PostgresPair } from '../kit/nodes/postgres-pair.ts';
import { eventually } from '../kit/eventually.ts';
import { skipWithout } from '../kit/requirements.ts';
import { startStopwatch } from '../kit/stopwatch.ts';
import { createDataFolder, launchServer, runToEnd, type LaunchedServer } from './launched-server.ts';

const writers = 8;

describe('a primary and a synchronous standby', { skip: skipWithout('PostgreSQL') }, () => {
  const opened = new AsyncDisposableStack();
  let pair: PostgresPair;
  let env: Record<string, string>;
  let server: LaunchedServer;
  let client: Client;
  let apiKey: string;
  before(async () => {
    pair = opened.use(await startPostgresPair());
    const data = opened.use(createDataFolder());
    const hosts = [pair.primary.host, pair.standby.host];
    env = { DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_DATABASE: pair.urlOf(hosts) };
    server = opened.use(await launchServer(env));
    apiKey = server.apiKey!;
    client = server.testClient.sdkClient(apiKey);
  });
  after(() => opened.disposeAsync());

  const create = async (name: string): Promise<number> =>
    (await client.request('groups/create', { name })).http;
  const namesOf = async (): Promise<string[]> =>
    (await client.request('groups/list', {})).body.data?.map(({ name }) => name) ?? [];

  test('when the primary is killed under writes, the standby takes over without a lost change', async (context) => {
    const acknowledged: string[] = [];
    const codes = new Set<number>();
    const end = new AbortController();
    const write = async (writer: number): Promise<void> => {
      for (let at = 0; !end.signal.aborted; at++) {
        const http = await create(`${writer} ${at}`);
        codes.add(http);
        if (http === 200) acknowledged.push(`${writer} ${at}`);
      }
    };
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    const written = (count: number) =>
      eventually(
        () => acknowledged.length,
        (length) => length >= count,
      );
    await written(50);
    await pair.primary.signal('SIGKILL');
    using outage = startStopwatch();
    await pair.standby.query('select pg_promote()');
    await written(acknowledged.length + 1);
    const waited = outage.ms();
    await written(acknowledged.length + 20);
    end.abort();
    await writing;

    const there = new Set(await namesOf());
    assert.deepEqual(
      acknowledged.filter((name) => !there.has(name)),
      [],
    );
    assert.deepEqual([...codes].toSorted(), [200, 503]);
    assert.ok(waited < 6_000, `writes went on after ${waited} ms`);
    context.diagnostic(`${acknowledged.length} changes, writes went on after ${Math.round(waited)} ms`);
  });

  test('the former primary that comes back is not written to, not even if it is there alone', async () => {
    await pair.primary.start();
    await server[Symbol.asyncDispose]();
    const alone = await runToEnd({ ...env, DRAWBRIDGE_DATABASE: pair.urlOf([pair.primary.host]) });
    server = opened.use(await launchServer(env));
    client = server.testClient.sdkClient(apiKey);
    const found = await namesOf();
    const written = await create('after');

    assert.ok(found.length >= 70, String(found.length));
    assert.equal(written, 200);
    assert.equal(alone.code, 1);
    assert.match(alone.err, /former primary/);
  });

  test('a frozen PostgreSQL is an outage within seconds, and readiness says so sooner', async () => {
    await pair.primary.signal('SIGKILL');
    await pair.standby.signal('SIGSTOP');
    using watch = startStopwatch();
    const timed = async (http: Promise<number>): Promise<[number, number]> => [await http, watch.ms()];
    const ready = server.testClient.send({ path: '/readyz' }).then(({ http }) => http);
    const all = [ready, create('frozen'), client.request('groups/list', {}).then(({ http }) => http)];
    const [readiness, write, read] = await Promise.all(all.map(timed));
    using later = startStopwatch();
    const second = await create('frozen too');
    const waited = later.ms();
    await pair.standby.signal('SIGCONT');
    const recovered = await eventually(
      () => create('thawed'),
      (http) => http === 200,
      6_000,
    );

    assert.equal(readiness![0], 503);
    assert.ok(readiness![1] < 2_000, `/readyz answered after ${readiness![1]} ms`);
    assert.deepEqual([write![0], read![0], second, recovered], [503, 503, 503, 200]);
    assert.ok(Math.max(write![1], read![1]) < 6_000, `${write![1]} and ${read![1]} ms`);
    assert.ok(waited < 2_500, `the next change failed after ${waited} ms`);
  });
});
