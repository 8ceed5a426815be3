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
import { startService, type TestService } from '../kit/server/service.ts';
import { openRawClient } from '../kit/server/raw-client.ts';
import { eventually } from '../kit/eventually.ts';
import { openStalledClients } from '../kit/hostile/stalled-clients.ts';

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
    const each = await restingMemory((now) => (now - start.external) / 1_024 / 200);
    const { http } = await service.testClient.send({ path: '/docs/swagger-ui-bundle.js' });
    const another = await eventually(
      () => service.testClient.send({ path }),
      (answer) => answer.http !== 429,
      60_000,
    );

    const rss = (process.memoryUsage().rss - start.rss) / 1_048_576;
    t.diagnostic(`${each.toFixed(0)} KiB of buffers each, the process grew by ${rss.toFixed(0)} MiB`);
    assert.ok(each < 64, `${each} KiB each`);
    assert.equal(http, 200, 'pages have places of their own');
    assert.deepEqual([another.http, sha256(another.bytes)], [200, sha256(content)]);
  });
});

/** The memory outside the heap once it no longer changes. */
async function restingMemory(measure: (external: number) => number): Promise<number> {
  let [last, times] = [Number.NaN, 0];
  return eventually(
    async () => {
      await new Promise((resolve) => void setTimeout(resolve, 200));
      collect();
      return measure(process.memoryUsage().external);
    },
    (now) => {
      times = Math.abs(now - last) < 1 ? times + 1 : 0;
      last = now;
      return times >= 4;
    },
    90_000,
  );
}
