/**
 * Starts that fail halfway: the error names the cause, and nothing of the half-started server is left behind.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { loadConfig } from '@drawbridge/server/config/config';
import { createLog } from '@drawbridge/server/edges/log';
import { startServer } from '@drawbridge/server/compose/server';
import { freePort } from '../kit/free-port.ts';
import { createDataFolder } from './launched-server.ts';

async function listenOn(port: number): Promise<{ port: number } & Disposable> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => void server.close() };
}

async function start(folder: string, env: Record<string, string>): Promise<unknown> {
  const loaded = await loadConfig({ env: { DRAWBRIDGE_DATA: folder, ...env }, cwd: folder });
  return startServer(loaded.config!, createLog({ level: 'silent' }));
}

for (const [port, setting] of [
  ['port of the service', 'DRAWBRIDGE_LISTEN'],
  ['port of the metrics', 'DRAWBRIDGE_METRICS_LISTEN'],
] as const)
  test(`a ${port} that is taken is named with the setting that chooses another`, async () => {
    using data = createDataFolder();
    using taken = await listenOn(0);
    const env = { DRAWBRIDGE_LISTEN: '127.0.0.1:0', [setting]: `127.0.0.1:${taken.port}` };

    await assert.rejects(start(data.folder, env), {
      message: `Another program already listens on 127.0.0.1:${taken.port}; choose another address with ${setting}.`,
    });
  });

test('a start that fails after the port was opened closes the port and frees the folder', async () => {
  using data = createDataFolder();
  using taken = await listenOn(0);
  const port = await freePort();
  const env = {
    DRAWBRIDGE_LISTEN: `127.0.0.1:${port}`,
    DRAWBRIDGE_METRICS_LISTEN: `127.0.0.1:${taken.port}`,
  };

  // The second attempt would find the port taken, or the folder in use.
  for (const _attempt of [1, 2]) await assert.rejects(start(data.folder, env), /DRAWBRIDGE_METRICS_LISTEN/);
  (await listenOn(port))[Symbol.dispose]();
});
