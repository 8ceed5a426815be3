/**
 * A server or command that root runs on the data folder of another user leaves nothing there that locks that
 * user out.
 */
import assert from 'node:assert/strict';
import { chownSync, globSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '@drawbridge/server/config/config';
import { createLog } from '@drawbridge/server/edges/log';
import { startServer } from '@drawbridge/server/compose/server';
import { prepareDatabaseFile } from '@drawbridge/server/store/engine/sqlite';
import { createDataFolder } from './launched-server.ts';

/** Any user but root; it need not have a name. */
const owner = 54_321;
const skip = process.getuid?.() === 0 ? false : 'only root can make files for others';

function foldersOfOthers(): { folder: string } & Disposable {
  const data = createDataFolder();
  const folder = join(data.folder, 'data');
  mkdirSync(folder);
  chownSync(folder, owner, owner);
  return { folder, [Symbol.dispose]: () => data[Symbol.dispose]() };
}

const ownersIn = (folder: string): Record<string, number> =>
  Object.fromEntries(globSync('**', { cwd: folder }).map((name) => [name, statSync(join(folder, name)).uid]));

function assertAllOwned(folder: string, ...expected: string[]): void {
  const owners = ownersIn(folder);

  for (const name of expected) assert.ok(name in owners, `${name} is there`);
  assert.deepEqual(
    Object.entries(owners).filter(([, uid]) => uid !== owner),
    [],
  );
}

test(
  'what a server run by root creates in the folder of another user belongs to that user',
  { skip },
  async () => {
    using data = foldersOfOthers();
    const env = { DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_LISTEN: '127.0.0.1:0' };
    const { config } = await loadConfig({ env, cwd: data.folder });
    const server = await startServer(config!, createLog({ level: 'silent' }));
    try {
      assertAllOwned(
        data.folder,
        'drawbridge.db',
        'drawbridge.db-wal',
        'migration.lock',
        'server.lock',
        'tls',
        'tls/cert.pem',
        'tls/key.pem',
      );
    } finally {
      await server.close(0);
    }
  },
);

test(
  'what a command run by root creates in the folder of another user belongs to that user',
  { skip },
  async () => {
    using data = foldersOfOthers();

    await prepareDatabaseFile(data.folder);

    assertAllOwned(data.folder, 'drawbridge.db', 'migration.lock');
  },
);
