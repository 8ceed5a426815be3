/**
 * Files in a session: what an operator can reach, and that nothing is lost, duplicated or reached outside.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import promises, {
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decodePayload } from '@drawbridge/session/payloads';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import { filesFeature } from '@drawbridge/agent/session/features/files';
import { createFakeFeatureContext } from '../../../kit/agent/fake-feature-context.ts';
import { eventually } from '../../../kit/eventually.ts';
import {
  blockHashHex,
  downloadFrom,
  sha256Hex,
  startFilesFixture,
  uploadTo,
  type FilesFixture,
} from '../../../kit/agent/files-fixture.ts';

let place = '';
let root = '';
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'drawbridge-files-'));
  root = join(place, 'root');
  await mkdir(root);
  await writeFile(join(place, 'outside.txt'), 'canary-outside');
});
after(() => rm(place, { recursive: true }));

const start = (): FilesFixture => startFilesFixture(root);

/** Holds files that replace others before they get their names, until it is released. */
function holdRenames(): { reached: Promise<void>; release(): void } & Disposable {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const real = rename;
  promises.rename = async (from, to) => {
    reached.resolve();
    await released.promise;
    return real(from, to);
  };
  syncBuiltinESMExports();
  return {
    reached: reached.promise,
    release: released.resolve,
    [Symbol.dispose]() {
      promises.rename = real;
      syncBuiltinESMExports();
    },
  };
}

describe('files in a session', () => {
  test('a folder is listed in pages, with kind, size and time', async () => {
    const one = start();
    await mkdir(join(root, 'many/inner'), { recursive: true });
    const names = Array.from({ length: 620 }, (_, index) => `f${String(index).padStart(4, '0')}`);
    await Promise.all(names.map((name) => writeFile(join(root, 'many', name), name)));
    await one.ask({ do: 'list', id: 1, path: '/many' });
    await one.ask({ do: 'list', id: 2, path: '/many', after: 'f0499' });
    const [first] = one.answers(1);
    const [second] = one.answers(2);
    assert.ok(first?.is === 'list' && second?.is === 'list');
    assert.deepEqual([first.entries.length, first.more], [500, true]);
    assert.deepEqual([second.entries.length, second.more], [121, false]);
    assert.deepEqual(second.entries.at(-1), {
      ...second.entries.at(-1),
      name: 'inner',
      kind: 'folder',
      size: 0,
    });
    assert.deepEqual(first.entries[0], {
      ...first.entries[0],
      name: 'f0000',
      kind: 'file',
      size: 5,
      writable: true,
    });
  });

  test('a file is downloaded with its hash, and never faster than it is acknowledged', async () => {
    const one = start();
    const content = randomBytes(5_000_000);
    await writeFile(join(root, 'large'), content);
    await one.ask({ do: 'get', id: 1, path: '/large', from: 0 });
    await eventually(
      async () => one.featureContext.pieces('file_bytes').length,
      (count) => count >= 8,
    );
    const sent = one.featureContext.pieces('file_bytes').reduce((sum, { data }) => sum + data.length, 0);
    assert.equal(sent, 16 * 1_024, 'the first window waits to be taken');
    assert.ok((await downloadFrom(one, 1)).equals(content));
    assert.deepEqual(one.answers(1).at(-1), { is: 'sent', id: 1, sha256: sha256Hex(content) });
  });

  test('a download that was cut continues where it ended', async () => {
    const one = start();
    const content = randomBytes(300_000);
    await writeFile(join(root, 'cut'), content);
    await one.ask({ do: 'get', id: 1, path: '/cut', from: 123_456 });
    assert.ok((await downloadFrom(one, 1)).equals(content.subarray(123_456)));
    assert.deepEqual(one.answers(1).at(-1), { is: 'sent', id: 1, sha256: sha256Hex(content) });
  });

  test('files are verified by the hash of their blocks if the operator asks for it', async () => {
    const one = start();
    const content = randomBytes(2_500_000);
    const sha256 = blockHashHex(content);
    const put = { do: 'put', path: '/blocks', size: content.length, replace: true, hash: 'blocks' } as const;
    await one.ask({ ...put, id: 1 });
    one.bytes(1, 0, content.subarray(0, 1_700_000));
    one.bytes(1, 1_700_000, content.subarray(1_700_000));
    await one.ask({ do: 'finish', id: 1, sha256 });
    await one.ask({ do: 'get', id: 2, path: '/blocks', from: 1_234_567, hash: 'blocks' });
    const downloaded = await downloadFrom(one, 2);
    await one.ask({ ...put, id: 3 });
    one.bytes(3, 0, content);
    await one.ask({ do: 'finish', id: 3, sha256: sha256Hex(content) });

    assert.deepEqual(one.answers(1)[0], { is: 'put', id: 1, from: 0, hash: 'blocks' });
    assert.deepEqual(one.answers(1).at(-1), { is: 'done', id: 1 });
    assert.ok(downloaded.equals(content.subarray(1_234_567)));
    assert.deepEqual(one.answers(2).at(-1), { is: 'sent', id: 2, sha256 });
    assert.equal(one.answers(3).at(-1)?.is, 'failed');
  });

  test('an uploaded file gets its name only when it is complete', async () => {
    const one = start();
    const content = randomBytes(400_000);
    await one.ask({
      do: 'put',
      id: 1,
      path: '/brought',
      size: content.length,
      replace: false,
      time: 1_700_000_000,
    });
    one.bytes(1, 0, content.subarray(0, 200_000));
    await one.answer(1, 'taken');
    assert.ok(!(await readdir(root)).includes('brought'));
    await one.ask({ do: 'list', id: 2, path: '/' });
    const [listed] = one.answers(2);
    assert.ok(listed?.is === 'list' && listed.entries.every(({ name }) => !name.includes('part')));
    one.bytes(1, 200_000, content.subarray(200_000));
    await one.ask({ do: 'finish', id: 1, sha256: sha256Hex(content) });
    assert.deepEqual(one.answers(1).at(-1), { is: 'done', id: 1 });
    assert.ok((await readFile(join(root, 'brought'))).equals(content));
    assert.equal((await stat(join(root, 'brought'))).mtimeMs, 1_700_000_000_000);
  });

  test('what was uploaded before a cut is not uploaded again', async () => {
    const content = randomBytes(300_000);
    const first = start();
    await first.ask({ do: 'put', id: 1, path: '/resumed', size: content.length, replace: false });
    first.bytes(1, 0, content.subarray(0, 131_072));
    await first.answer(1, 'taken');
    await first.part.stop();
    const second = start();
    assert.deepEqual(await uploadTo(second, 7, { path: '/resumed' }, content), { is: 'done', id: 7 });
    assert.deepEqual(second.answers(7)[0], { is: 'put', id: 7, from: 131_072 });
    assert.ok((await readFile(join(root, 'resumed'))).equals(content));
  });

  test(
    'an upload that is resumed while the earlier session puts the file in place waits for it',
    { timeout: 30_000 },
    async () => {
      const content = randomBytes(300_000);
      const put = { do: 'put', id: 1, path: '/twice', size: content.length, replace: true } as const;
      const [first, second] = [start(), start()];
      using held = holdRenames();
      await first.ask(put);
      first.bytes(1, 0, content);
      void first.ask({ do: 'finish', id: 1, sha256: sha256Hex(content) });
      void first.part.stop();
      await held.reached;

      const resumed = second.ask(put);
      await uploadTo(second, 2, { path: '/meanwhile' }, content);
      assert.deepEqual(second.answers(1), []);
      held.release();
      await resumed;

      assert.deepEqual(second.answers(1), [{ is: 'put', id: 1, from: 0 }]);
      assert.ok((await readFile(join(root, 'twice'))).equals(content));
      await second.ask({ do: 'stop', id: 1 });
    },
  );

  test('a session ends after the files of its finished uploads are in place', async () => {
    const one = start();
    await one.ask({ do: 'put', id: 1, path: '/ended', size: 4, replace: false });
    one.bytes(1, 0, Buffer.from('abcd'));
    void one.ask({ do: 'finish', id: 1, sha256: sha256Hex(Buffer.from('abcd')) });
    await one.part.stop();

    assert.equal(await readFile(join(root, 'ended'), 'utf8'), 'abcd');
  });

  test('an upload with a wrong hash leaves nothing behind', async () => {
    const one = start();
    await one.ask({ do: 'put', id: 1, path: '/wrong', size: 4, replace: false });
    one.bytes(1, 0, Buffer.from('abcd'));
    await one.ask({ do: 'finish', id: 1, sha256: sha256Hex(Buffer.from('abce')) });
    assert.equal(one.answers(1).at(-1)?.is, 'failed');
    assert.deepEqual(
      (await readdir(root)).filter((name) => name.includes('wrong') || name.endsWith('part')),
      [],
    );
  });

  test('an existing file is replaced only if the request says so', async () => {
    const one = start();
    await writeFile(join(root, 'mine'), 'mine');
    assert.equal((await uploadTo(one, 1, { path: '/mine' }, Buffer.from('yours')))?.is, 'failed');
    assert.equal(await readFile(join(root, 'mine'), 'utf8'), 'mine');
    assert.equal(
      (await uploadTo(one, 2, { path: '/mine', replace: true }, Buffer.from('yours')))?.is,
      'done',
    );
    assert.equal(await readFile(join(root, 'mine'), 'utf8'), 'yours');
  });

  test('folders are created, renamed and removed, and a rename replaces nothing', async () => {
    const one = start();
    await one.ask({ do: 'folder', id: 1, path: '/new' });
    await uploadTo(one, 2, { path: '/new/a' }, Buffer.from('a'));
    await uploadTo(one, 3, { path: '/new/b' }, Buffer.from('b'));
    await one.ask({ do: 'rename', id: 4, path: '/new/a', to: '/new/b' });
    assert.deepEqual(one.answers(4), [
      { is: 'failed', id: 4, message: 'A file or folder with that name already exists.' },
    ]);
    await one.ask({ do: 'rename', id: 5, path: '/new', to: '/newer' });
    assert.equal(await readFile(join(root, 'newer/a'), 'utf8'), 'a');
    await one.ask({ do: 'remove', id: 6, path: '/newer' });
    assert.deepEqual(one.answers(6), [{ is: 'done', id: 6 }]);
    assert.ok(!(await readdir(root)).includes('newer'));
  });
});

/** Paths that name something outside, in every spelling attackers have tried. */
const escapes = [
  '/../outside.txt',
  '/../../../../../../etc/passwd',
  '/./../outside.txt',
  '//..//outside.txt',
  '/inner/../../outside.txt',
  '/out/outside.txt',
  '/whole',
  '/loop/x',
  '/up/outside.txt',
  '/..',
  '/inner/../..',
  '/%2e%2e/outside.txt',
  '/..\\outside.txt',
  '/…/outside.txt',
  `/${'a'.repeat(4_000)}`,
  `/${'a/'.repeat(2_000)}`,
];

describe('nothing outside the open folder is reached', () => {
  before(async () => {
    await mkdir(join(root, 'inner'), { recursive: true });
    await symlink(place, join(root, 'out'));
    await symlink(join(place, 'outside.txt'), join(root, 'whole'));
    await symlink('../', join(root, 'up'));
    await symlink('loop', join(root, 'loop'));
  });

  for (const path of escapes)
    test(`not by ${path.length > 40 ? `a path of ${path.length} characters` : path}`, async () => {
      const one = start();
      await one.ask({ do: 'get', id: 1, path, from: 0 });
      await one.ask({ do: 'list', id: 2, path });
      await uploadTo(one, 3, { path }, Buffer.from('evil'));
      await uploadTo(one, 4, { path: `${path}/new` }, Buffer.from('evil'));
      await one.ask({ do: 'folder', id: 5, path: `${path}/folder` });
      await one.ask({ do: 'rename', id: 6, path: '/inner', to: path });
      await one.ask({ do: 'remove', id: 7, path });
      await mkdir(join(root, 'inner'), { recursive: true });
      const answers = JSON.stringify(one.featureContext.messages('file_answer'));
      const sent = Buffer.concat(one.featureContext.pieces('file_bytes').map(({ data }) => data)).toString();
      assert.ok(!answers.includes('outside.txt"') && !sent.includes('canary') && !sent.includes('root:'));
      assert.deepEqual((await readdir(place)).toSorted(), ['outside.txt', 'root']);
      assert.equal(await readFile(join(place, 'outside.txt'), 'utf8'), 'canary-outside');
    });

  test('not by a link that replaces a folder at the wrong moment', async () => {
    const one = start();
    await mkdir(join(root, 'swap'), { recursive: true });
    await writeFile(join(root, 'swap/outside.txt'), 'inside');
    await symlink(place, join(root, 'swap-link'));
    const swapping = new AbortController();
    const swaps = (async () => {
      while (!swapping.signal.aborted) {
        await rename(join(root, 'swap'), join(root, 'swap-aside'));
        await rename(join(root, 'swap-link'), join(root, 'swap'));
        await rename(join(root, 'swap'), join(root, 'swap-link'));
        await rename(join(root, 'swap-aside'), join(root, 'swap'));
      }
    })();
    for (let id = 1; id <= 300; id += 1) {
      await one.ask({ do: 'get', id, path: '/swap/outside.txt', from: 0 });
      await one.ask({ do: 'stop', id });
    }
    swapping.abort();
    await swaps;
    const sent = one.featureContext.pieces('file_bytes').map(({ data }) => Buffer.from(data).toString());
    assert.ok(sent.every((text) => text === 'inside'));
  });

  test('a pipe or a device is not downloaded', async () => {
    const featureContext = createFakeFeatureContext({ files: () => openFiles({}) });
    const part = filesFeature(featureContext);
    await part.handlers.file!({ do: 'get', id: 1, path: '/dev/zero', from: 0 });
    assert.deepEqual(featureContext.messages('file_answer'), [
      { is: 'failed', id: 1, message: 'Only regular files can be downloaded.' },
    ]);
  });

  test('a malformed request or chunk is not decoded', () => {
    const decode = (text: string) => decodePayload('file', Buffer.from(text));

    assert.equal(decode('{"do":"list"}'), undefined);
    assert.equal(decode('{"do":"list","id":1,"path":"/a\\u0000b"}'), undefined);
    assert.equal(decodePayload('file_bytes', Buffer.from('short')), undefined);
  });
});
