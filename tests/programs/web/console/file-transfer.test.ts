/** The console's side of file transfer against the device's own, with the connection cut at bad moments. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { RemoteFiles } from '@drawbridge/web/console/panels/files/remote-files';
import { FileError } from '@drawbridge/web/console/panels/files/file-exchange';
import { openFileFixture } from './file-fixture.ts';

let root = '';
before(async () => (root = await mkdtemp(join(tmpdir(), 'drawbridge-transfer-'))));
after(() => rm(root, { recursive: true }));

const connect = (cutAfter = Infinity): RemoteFiles => openFileFixture(root, cutAfter).remote;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const never = new AbortController().signal;

async function fetched(remote: RemoteFiles, path: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await remote.download(path, never)).content) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('files between a console and a device', () => {
  const content = randomBytes(7_000_000);

  for (const cutAfter of [Infinity, 1, 2, 30, 80])
    test(`a file is downloaded completely, ${cutAfter === Infinity ? 'without a cut' : `cut after ${cutAfter} frames`}`, async () => {
      const remote = connect(cutAfter);
      await writeFile(join(root, 'down'), content);
      assert.equal(sha256(await fetched(remote, '/down')), sha256(content));
    });

  for (const cutAfter of [Infinity, 1, 2, 20, 54, 55, 56])
    test(`a file is uploaded completely, ${cutAfter === Infinity ? 'without a cut' : `cut after ${cutAfter} answers`}`, async () => {
      const remote = connect(cutAfter);
      const progress: number[] = [];
      await remote.upload(
        {
          path: `/up-${cutAfter}`,
          content: new Blob([content]),
          time: 1_700_000_000,
          replace: false,
          onProgress: (bytes) => progress.push(bytes),
        },
        never,
      );
      assert.equal(sha256(await readFile(join(root, `up-${cutAfter}`))), sha256(content));
      assert.equal(progress.at(-1), content.length);
    });

  test('empty files are uploaded and downloaded', async () => {
    const remote = connect();
    const file = { path: '/empty', content: new Blob([]), replace: false, onProgress: () => {} };
    await remote.upload(file, never);
    assert.equal((await fetched(remote, '/empty')).length, 0);
  });

  test('a folder with thousands of files is listed completely, even after a cut', async () => {
    const remote = connect(2);
    await mkdir(join(root, 'full'));
    const names = Array.from({ length: 1_501 }, (_, index) => `n${String(index).padStart(5, '0')}`);
    await Promise.all(names.map((name) => writeFile(join(root, 'full', name), '')));
    assert.deepEqual(
      (await remote.list('/full')).entries.map(({ name }) => name),
      names,
    );
  });

  test('a refusal is shown as a sentence', async () => {
    await assert.rejects(
      connect().download('/nothing', never),
      new FileError('device_refused', 'There is no file or folder with that name.'),
    );
  });

  test('an upload that is stopped before the device has answered sends nothing', async () => {
    const stop = new AbortController();
    const progress: number[] = [];
    const onProgress = (bytes: number): void => void progress.push(bytes);
    const file = { path: '/stopped', content: new Blob([content]), replace: false, onProgress };

    const upload = connect().upload(file, stop.signal);
    stop.abort();

    await assert.rejects(upload, { name: 'AbortError' });
    assert.deepEqual(progress, [0]);
  });

  test('a transfer can be stopped, and another continues', async () => {
    const remote = connect();
    const stop = new AbortController();
    const { content: pieces } = await remote.download('/down', stop.signal);
    await pieces.next();
    stop.abort();
    await assert.rejects(
      async () => {
        for await (const piece of pieces) assert.ok(piece);
      },
      { name: 'AbortError' },
    );
    assert.ok((await fetched(remote, '/down')).equals(content));
  });
});
