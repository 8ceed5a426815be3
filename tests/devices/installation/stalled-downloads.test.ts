/**
 * Hundreds of clients that start a download and stop reading: they cost little, and nobody else waits for
 * them.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startService, type TestService } from '../../kit/server/service.ts';
import { openRawClient } from '../../kit/server/raw-client.ts';
import { eventually } from '../../kit/eventually.ts';
import { openStalledClients } from '../../kit/hostile/stalled-clients.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
/** More than the kernel buffers for one connection. */
const content = Buffer.alloc(12_000_000, 'bytes of the agent ');
const name = 'drawbridge-agent-linux-x64';
const manifest = {
  version: '0.1.0',
  files: [{ name, os: 'linux', arch: 'x64', size: content.length, sha256: sha256(content) }],
};
const path = `/download/${name}`;
const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('a server with a built agent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-offer-'));
  let service: TestService;
  before(async () => {
    writeFileSync(join(folder, name), content);
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
    // An eighth of them may be downloads: 200.
    const env = { DRAWBRIDGE_DOWNLOADS: folder, DRAWBRIDGE_CONNECTIONS_PER_ADDRESS: '1600' };
    service = await startService({ env });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('thirty machines of one network download it at once, each completely', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => service.testClient.send({ path })));

    for (const { http, bytes } of answers) assert.deepEqual([http, sha256(bytes)], [200, sha256(content)]);
  });

  test('42 connections of six addresses that send 33 requests each at once leave places for others', async () => {
    const { port } = service.server.config.listen;
    await using clients = new AsyncDisposableStack();
    for (let each = 0; each < 42; each++) {
      const client = clients.use(await openRawClient(port, {}, `127.0.0.${2 + (each % 6)}`));
      client.send(request.repeat(33));
      await client.until(/bytes of the agent/);
      client.socket.pause();
    }

    const { http, bytes } = await service.testClient.send({ path });

    assert.deepEqual([http, sha256(bytes)], [200, sha256(content)]);
  });

  test('200 stalled downloads cost less than 64 KiB each, and yield to clients that read', async (t) => {
    const { port } = service.server.config.listen;
    await using clients = await openStalledClients({ port, count: 200, request });
    collect();
    const start = process.memoryUsage();

    assert.deepEqual(await clients.ask(), Array(200).fill(200));
    await untilStalled(200);
    const { http } = await service.testClient.send({ path: '/docs/swagger-ui-bundle.js' });
    const another = await eventually(
      () => download(service),
      ([code]) => code !== 429,
      60_000,
    );
    // The server had seconds to read on in the files: what it keeps now is all it keeps.
    const each = await collected((now) => (now - start.external) / 1_024 / 200, 64);

    const rss = (process.memoryUsage().rss - start.rss) / 1_048_576;
    t.diagnostic(`${each.toFixed(0)} KiB of buffers each, the process grew by ${rss.toFixed(0)} MiB`);
    assert.equal(http, 200, 'pages have slots of their own');
    assert.deepEqual(another, [200, sha256(content)]);
  });
});

/** The status code and the digest: the bytes themselves would count as memory. */
async function download({ testClient }: TestService): Promise<[number, string]> {
  const { http, bytes } = await testClient.send({ path });
  return [http, sha256(bytes)];
}

/** Resolves when the server waits for this many clients: the kernel accepts no more of their responses. */
const untilStalled = (count: number): Promise<number> =>
  eventually(
    () => process.getActiveResourcesInfo().filter((resource) => resource.endsWith('WriteWrap')).length,
    (pendingWrites) => pendingWrites >= count,
    90_000,
  );

/** The memory outside the heap once it is below the limit: free buffers are returned some time after a collection. */
const collected = (measure: (external: number) => number, limit: number): Promise<number> =>
  eventually(
    () => {
      collect();
      return measure(process.memoryUsage().external);
    },
    (measured) => measured < limit,
    90_000,
  );
