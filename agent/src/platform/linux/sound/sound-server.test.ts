/** Tests of which user root plays sound as: the owner of the runtime folder, whatever that user has put into it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { soundOwner } from './sound-server.ts';

const asRoot = process.getuid?.() !== 0 && 'only root can make folders of other users';
const ann = 65_534;

test('only a user who owns their sound server is chosen', { skip: asRoot }, async () => {
  const users = mkdtempSync(join(tmpdir(), 'drawbridge-sound-'));
  const folder = join(users, '1000');
  const [native, roots] = [join(folder, 'pulse/native'), join(users, 'socket')];
  mkdirSync(join(folder, 'pulse'), { recursive: true });
  for (const path of [folder, join(folder, 'pulse')]) chownSync(path, ann, ann);
  const server = createServer().listen(roots).unref();
  await once(server, 'listening');

  symlinkSync(roots, native);
  assert.equal(await soundOwner(users), undefined, 'a link to a socket of root');
  rmSync(native);
  renameSync(roots, native);
  assert.equal(await soundOwner(users), undefined, 'a socket that is not theirs');
  chownSync(native, ann, ann);
  assert.deepEqual(await soundOwner(users), { folder, uid: ann, gid: ann });

  server.close();
  rmSync(users, { recursive: true });
});
