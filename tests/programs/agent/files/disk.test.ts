/** Files in a session on disk: their owners, and what is left of incomplete ones. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, statSync } from 'node:fs';
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import { beforeFileCall } from '../../../kit/agent/before-file-call.ts';
import {
  sha256Hex,
  uploadTo,
  startFilesFixture,
  type FilesFixture,
} from '../../../kit/agent/files-fixture.ts';
import { eventually } from '../../../kit/eventually.ts';

const run = promisify(execFile);
const asRoot = process.getuid?.() !== 0 && 'only root can give files away';

let place = '';
let root = '';
let number = 0;
before(async () => (place = await mkdtemp(join(tmpdir(), 'drawbridge-disk-'))));
beforeEach(async () => {
  root = join(place, String((number += 1)));
  await mkdir(root);
});
after(() => rm(place, { recursive: true }));

const start = (): FilesFixture => startFilesFixture(root);
const modeOf = async (name: string): Promise<string> =>
  ((await stat(join(root, name))).mode & 0o7777).toString(8);
const ownerOf = async (name: string): Promise<number[]> => {
  const { uid, gid } = await stat(join(root, name));
  return [uid, gid];
};
const parts = async (): Promise<string[]> =>
  (await readdir(root)).filter((name) => name.endsWith('.drawbridge-part'));

describe('the owner of an uploaded file', () => {
  test('a file that replaces another gets its mode, and a new one the default mode', async () => {
    const one = start();
    for (const [name, mode] of [
      ['secret', 0o600],
      ['script', 0o755],
    ] as const) {
      await writeFile(join(root, name), 'before');
      await chmod(join(root, name), mode);
      await uploadTo(one, mode, { path: `/${name}`, replace: true }, Buffer.from('after'));
    }
    await uploadTo(one, 1, { path: '/new' }, Buffer.from('new'));

    const mask = process.umask();
    assert.deepEqual(
      [await modeOf('secret'), await modeOf('script'), await modeOf('new')],
      ['600', '755', (0o644 & ~mask).toString(8)],
    );
  });

  test(
    'a file that replaces another keeps owner and group; a new file and a new folder get those of the parent folder',
    { skip: asRoot },
    async () => {
      const one = start();
      await chown(root, 1_234, 2_345);
      await writeFile(join(root, 'theirs'), 'before');
      await chown(join(root, 'theirs'), 4_321, 5_432);
      await chmod(join(root, 'theirs'), 0o4_711);

      await uploadTo(one, 1, { path: '/theirs', replace: true }, Buffer.from('after'));
      await uploadTo(one, 2, { path: '/new' }, Buffer.from('new'));
      await one.ask({ do: 'folder', id: 3, path: '/inner' });
      await uploadTo(one, 4, { path: '/inner/deep' }, Buffer.from('deep'));

      assert.deepEqual(await ownerOf('theirs'), [4_321, 5_432]);
      assert.equal(await modeOf('theirs'), '4711');
      for (const name of ['new', 'inner', 'inner/deep'])
        assert.deepEqual(await ownerOf(name), [1_234, 2_345], name);
    },
  );

  test(
    'a file that another user put at the path of a partial upload is neither filled nor given away',
    { skip: asRoot },
    async () => {
      const one = start();
      await chown(root, 1_234, 1_234);
      await one.ask({ do: 'put', id: 1, path: '/new', size: 3, replace: false });
      await one.part.stop();
      const [name] = await parts();
      await rm(join(root, name!));
      const precious = join(place, 'precious');
      await writeFile(precious, 'precious');
      await link(precious, join(root, name!));

      assert.equal((await uploadTo(start(), 2, { path: '/new' }, Buffer.from('new')))?.is, 'done');
      assert.equal(await readFile(precious, 'utf8'), 'precious');
      assert.equal((await stat(precious)).uid, 0);
    },
  );
});

describe('what other users of the device have prepared', () => {
  test('a hard link to a setuid program does not make the uploaded file setuid', async () => {
    await writeFile(join(root, 'program'), 'before');
    await chmod(join(root, 'program'), 0o4_711);
    await link(join(root, 'program'), join(root, 'second'));

    await uploadTo(start(), 1, { path: '/second', replace: true }, Buffer.from('after'));

    assert.deepEqual([await modeOf('second'), await modeOf('program')], ['711', '4711']);
  });

  test('an upload does not continue a file that others can write to', async () => {
    const content = Buffer.from('content');
    const cut = start();
    await cut.ask({ do: 'put', id: 1, path: '/new', size: content.length, replace: false });
    await cut.part.stop();
    const [name] = await parts();
    await writeFile(join(root, name!), 'evil');
    await chmod(join(root, name!), 0o666);
    const one = start();

    assert.equal((await uploadTo(one, 2, { path: '/new' }, content))?.is, 'done');

    assert.deepEqual(one.answers(2)[0], { is: 'put', id: 2, from: 0 });
    assert.equal(await readFile(join(root, 'new'), 'utf8'), 'content');
  });

  test("another user's folder in place of a new one is not given away", { skip: asRoot }, async () => {
    for (let [moment, last] = [1, 2]; moment <= last; moment += 1) {
      const theirs = join(root, String(moment));
      await mkdir(join(theirs, 'foreign'), { recursive: true });
      await chown(theirs, 1_234, 1_234);
      await chown(join(theirs, 'foreign'), 4_321, 4_321);
      const one = start();
      using calls = beforeFileCall(moment, () => {
        if (!existsSync(join(theirs, 'new'))) return;
        renameSync(join(theirs, 'new'), join(theirs, 'aside'));
        renameSync(join(theirs, 'foreign'), join(theirs, 'new'));
      });

      await one.ask({ do: 'folder', id: 1, path: `/${moment}/new` });
      last = Math.max(last, calls.calls());

      const foreign = existsSync(join(theirs, 'foreign')) ? 'foreign' : 'new';
      assert.equal(statSync(join(theirs, foreign)).uid, 4_321, `before call ${moment} of ${last}`);
    }
  });
});

test('on a system without hard links, files are uploaded and renamed, and none is overwritten', async () => {
  const programFile = join(import.meta.dirname, 'no-links-program.ts');
  const { stdout } = await run(process.execPath, [programFile, root]);

  assert.deepEqual(JSON.parse(stdout), {
    answers: ['done', 'failed', 'failed', 'done', 'failed'],
    names: ['brought', 'late', 'new', 'taken'],
    texts: ['brought', 'first', 'moved', 'stays'],
  });
});

describe('what is left of an incomplete file', () => {
  const size = 200_000;
  const half = async (one: FilesFixture, path: string): Promise<void> => {
    await one.ask({ do: 'put', id: 1, path, size, replace: false });
    one.bytes(1, 0, randomBytes(size / 2));
    await one.answer(1, 'taken');
  };
  const age = async (hours: number): Promise<void> => {
    const then = Date.now() / 1_000 - hours * 3_600;
    for (const name of await parts()) await utimes(join(root, name), then, then);
  };

  test('nothing after the operator cancels it, everything after a cut', async () => {
    const [stopped, cut] = [start(), start()];
    await half(stopped, '/stopped');
    await stopped.ask({ do: 'stop', id: 1 });
    assert.deepEqual(await readdir(root), []);

    await half(cut, '/cut');
    await cut.part.stop();
    assert.equal((await parts()).length, 1);
    const again = start();
    await again.ask({ do: 'put', id: 2, path: '/cut', size, replace: false });
    assert.deepEqual(again.answers(2), [{ is: 'put', id: 2, from: size / 2 }]);
    await again.ask({ do: 'stop', id: 2 });
    assert.deepEqual(await readdir(root), []);
  });

  test('nothing if a piece of it was malformed', async () => {
    const one = start();
    await half(one, '/odd');
    one.bytes(1, 7, randomBytes(10));
    await one.answer(1, 'failed');
    await eventually(parts, (left) => left.length === 0);
  });

  for (const [how, look] of [
    ['listed', (one: FilesFixture) => one.ask({ do: 'list', id: 9, path: '/' })],
    ['written to', (one: FilesFixture) => uploadTo(one, 9, { path: '/other' }, Buffer.from('other'))],
  ] as const)
    test(`nothing a day later, when the folder is ${how}`, async () => {
      const one = start();
      await half(one, '/forgotten');
      await one.part.stop();
      await age(23);
      await look(start());
      assert.equal((await parts()).length, 1);
      await rm(join(root, 'other'), { force: true });

      await age(25);
      await look(start());
      assert.deepEqual(await parts(), []);
    });

  test('an upload that continues after a day is not swept while it runs', async () => {
    const one = start();
    await half(one, '/slow');
    await one.part.stop();
    await age(48);

    const again = start();
    await again.ask({ do: 'put', id: 2, path: '/slow', size, replace: false });
    await again.ask({ do: 'list', id: 3, path: '/' });
    assert.equal((await parts()).length, 1);
    await again.part.stop();
  });
});

test('a second upload of the same file replaces the first, which can neither write to it nor remove it', async () => {
  const { create } = await openFiles({ DRAWBRIDGE_AGENT_FILES: root });
  const content = randomBytes(3_000);
  const file = { path: '/twice', size: content.length, time: 1_700_000_000, replace: false };
  const first = await create(file);
  await first.write(0, content.subarray(0, 1_000));

  const [second, third] = await Promise.all([create(file), create(file)]);
  const replaced = /newer upload/;
  await assert.rejects(first.write(1_000, Buffer.alloc(1_000)), replaced);
  await assert.rejects(second.write(1_000, Buffer.alloc(1_000)), replaced);
  await assert.rejects(first.finish(sha256Hex(content)), replaced);
  await second.discard();
  assert.equal(third.from, 1_000);
  await third.write(1_000, content.subarray(1_000));
  await third.finish(sha256Hex(content));

  assert.deepEqual(await readFile(join(root, 'twice')), content);
  assert.deepEqual(await parts(), []);
});
