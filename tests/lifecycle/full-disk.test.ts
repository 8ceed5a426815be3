/** A disk without space: changes are refused and say so, nothing that was stored is lost, and the server continues. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../kit/eventually.ts';
import { mountSmallDisk } from '../kit/nodes/small-disk.ts';
import { skipWithout } from '../kit/requirements.ts';
import { openRawClient } from '../kit/server/raw-client.ts';
import { runSql } from '../kit/server/raw-sql.ts';
import { startService } from '../kit/server/service.ts';
import { startStopwatch } from '../kit/stopwatch.ts';
import { launchServer, runToEnd, type LaunchedServer, type ProcessExit } from './launched-server.ts';

const createGroup = (server: LaunchedServer, name: string) =>
  server.testClient.send({
    method: 'POST',
    path: '/v1/groups/create',
    headers: { 'X-Api-Key': server.apiKey!, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });

/** Creates groups until one is refused: the log of SQLite still has room when the disk is full. */
async function createUntilRefused(server: LaunchedServer) {
  for (let number = 0; ; number++) {
    const answer = await createGroup(server, `group ${number}`);
    if (answer.http !== 200) return { answer, created: number };
  }
}

function assertSaysSo({ code, err }: ProcessExit, folder: string): void {
  assert.equal(code, 1);
  assert.ok(err.startsWith(`There is no space left on the disk of ${folder}`), err);
}

describe('a full disk', { skip: skipWithout('Linux namespaces') }, () => {
  test('changes are refused with 503 until there is space again, and nothing stored is lost', async () => {
    using disk = mountSmallDisk(16);
    await using server = await launchServer({ DRAWBRIDGE_DATA: disk.folder });
    const ready = async () => (await server.testClient.send({ path: '/readyz' })).http;
    const groups = async () =>
      (await server.testClient.sdkClient(server.apiKey).request('groups/list', {})).body.data!.length;
    assert.equal(await ready(), 200);

    disk.fill();
    const { answer, created } = await createUntilRefused(server);
    using started = startStopwatch();
    await eventually(ready, (http) => http === 503);
    const noticedAfter = started.ms();
    const [alive, listed] = [await server.testClient.send({ path: '/healthz' }), await groups()];
    disk.free();
    const again = await createGroup(server, 'after');

    assert.equal(answer.http, 503);
    assert.equal(answer.headers['retry-after'], '5');
    assert.equal(JSON.parse(answer.text).error.code, 'storage_unavailable');
    assert.ok(noticedAfter < 2_000, `not ready after ${noticedAfter} ms`);
    assert.deepEqual([alive.http, listed], [200, created]);
    assert.deepEqual([again.http, await ready(), await groups()], [200, 200, created + 1]);
    disk.fill();
    await server[Symbol.asyncDispose]();

    assertSaysSo(await runToEnd({ DRAWBRIDGE_DATA: disk.folder }), disk.folder);
  });

  test('a start says that the disk is full', async () => {
    using disk = mountSmallDisk(16);
    disk.fill();

    assertSaysSo(await runToEnd({ DRAWBRIDGE_DATA: disk.folder }), disk.folder);
  });

  test('an upload that does not fit is refused, and the connection can be used again', async () => {
    using disk = mountSmallDisk(2);
    await using service = await startService({ env: { DRAWBRIDGE_FILES: disk.folder } });
    const { owner, agent } = await service.account();
    const { id } = await agent();
    await using client = await openRawClient(service.server.config.listen.port, {});
    const file = Buffer.alloc(6 * 1_024 * 1_024);
    client.send(
      `POST /v1/agents/files/add?agent_id=${id}&name=large HTTP/1.1\r\nHost: localhost\r\n`,
      `X-Api-Key: ${owner.apiKey}\r\nContent-Length: ${file.length}\r\n\r\n`,
      file,
    );
    const refused = await client.until(/"code":"\w+"/);
    client.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');

    assert.match(refused, /^HTTP\/1\.1 503 [^]*\r\nRetry-After: 5\r\n[^]*storage_unavailable/);
    assert.match(await client.until(/ok\n$/), /HTTP\/1\.1 200 /);
  });
});

describe('PostgreSQL on a full disk', { skip: skipWithout('PostgreSQL') }, () => {
  test('changes are refused with 503 until there is space again, and reads are answered', async () => {
    await using service = await startService({ database: 'postgres', env: {} });
    const { owner } = await service.account();
    const create = () =>
      service.testClient.send({
        method: 'POST',
        path: '/v1/groups/create',
        headers: { 'X-Api-Key': owner.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'new' }),
      });
    // What PostgreSQL answers when it cannot extend the file of a table.
    await runSql(
      service,
      `create function no_space() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
    );
    await runSql(
      service,
      'create trigger no_space before insert on agent_group for each row execute function no_space()',
    );

    const refused = await create();
    const listed = await owner.call('groups/list');
    await runSql(service, 'drop trigger no_space on agent_group');
    const again = await create();

    assert.deepEqual([refused.http, refused.headers['retry-after']], [503, '5']);
    assert.equal(JSON.parse(refused.text).error.code, 'storage_unavailable');
    assert.deepEqual([listed.http, listed.body['data'], again.http], [200, [], 200]);
  });
});
