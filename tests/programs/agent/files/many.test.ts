/** Many files in a session: how many are open, and folders that hold more than is listed. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { uploadTo, startFilesFixture, type FilesFixture } from '../../../kit/agent/files-fixture.ts';
import { eventually } from '../../../kit/eventually.ts';

let place = '';
let root = '';
let number = 0;
before(async () => (place = await mkdtemp(join(tmpdir(), 'drawbridge-many-'))));
beforeEach(async () => {
  root = join(place, String((number += 1)));
  await mkdir(root);
});
after(() => rm(place, { recursive: true }));

const start = (): FilesFixture => startFilesFixture(root);

describe('no file stays open', () => {
  /** Files below the folder that this process has open. */
  const open = async (): Promise<string[]> => {
    const links = (await readdir('/proc/self/fd')).map((name) =>
      readlink(`/proc/self/fd/${name}`).catch(() => ''),
    );
    return (await Promise.all(links)).filter((path) => path.startsWith(root));
  };

  test('when the session ends while one is being opened', async () => {
    await writeFile(join(root, 'large'), Buffer.alloc(5_000_000));
    const one = start();
    const asked = [
      one.ask({ do: 'get', id: 1, path: '/large', from: 0 }),
      one.ask({ do: 'put', id: 2, path: '/new', size: 5, replace: false }),
    ];
    await one.part.stop();
    await Promise.all(asked);

    await eventually(open, (paths) => paths.length === 0);
    assert.deepEqual(one.featureContext.sent, []);
  });

  test('when the operator cancels one that is being opened, whose number is then free again', async () => {
    const one = start();
    const asked = one.ask({ do: 'put', id: 1, path: '/new', size: 5, replace: false });
    await one.ask({ do: 'stop', id: 1 });
    await asked;

    assert.deepEqual([await open(), await readdir(root)], [[], []]);
    assert.equal((await uploadTo(one, 1, { path: '/new' }, Buffer.from('hello')))?.is, 'done');
  });

  test('beyond sixteen, however fast they are requested', async () => {
    const one = start();
    const ids = Array.from({ length: 40 }, (_, index) => index + 1);
    await Promise.all(ids.map((id) => one.ask({ do: 'put', id, path: `/${id}`, size: 1, replace: false })));

    const count = (is: string): number =>
      one.featureContext.messages('file_answer').filter((word) => word.is === is).length;
    assert.deepEqual([count('put'), count('failed')], [16, 24]);
    await one.part.stop();
    assert.deepEqual(await open(), []);
  });

  test('when a piece fails and the end follows at once', async () => {
    const one = start();
    await one.ask({ do: 'put', id: 1, path: '/new', size: 5, replace: false });
    one.bytes(1, 3, Buffer.from('x'));
    await one.ask({ do: 'finish', id: 1, sha256: '0'.repeat(64) });

    assert.equal(one.answers(1).at(-1)?.is, 'failed');
    assert.deepEqual([await open(), await readdir(root)], [[], []]);
  });
});

describe('large folders', () => {
  const total = 20_050;
  const nameOf = (index: number): string => `f${String(index).padStart(5, '0')}`;
  const page = async (one: FilesFixture, id: number, behind?: string) => {
    await one.ask({ do: 'list', id, path: '/', ...(behind !== undefined && { after: behind }) });
    const [listed] = one.answers(id);
    assert.ok(listed?.is === 'list');
    return listed;
  };

  test('are read once for all their pages, and report how much they hold beyond what is listed', async () => {
    for (let from = 0; from < total; from += 1_000)
      await Promise.all(
        Array.from({ length: Math.min(1_000, total - from) }, (_, index) =>
          writeFile(join(root, nameOf(from + index)), ''),
        ),
      );
    const one = start();

    const first = await page(one, 1);
    await writeFile(join(root, `${nameOf(499)}-new`), '');
    const second = await page(one, 2, nameOf(499));
    const last = await page(one, 3, nameOf(19_499));
    const beyond = await page(one, 4, nameOf(19_999));

    assert.deepEqual([first.entries.length, first.more, first.total], [500, true, total]);
    assert.equal(second.entries[0]?.name, nameOf(500), 'as it was when it was read');
    assert.deepEqual(
      [last.entries.length, last.entries.at(-1)?.name, last.more],
      [500, nameOf(19_999), false],
    );
    assert.deepEqual([beyond.entries, beyond.more], [[], false]);
  });

  test('entries that cannot be inspected are still listed', async () => {
    await writeFile(Buffer.concat([Buffer.from(`${root}/odd-`), Buffer.from([0xff])]), '');
    const { entries } = await page(start(), 1);
    assert.deepEqual(entries, [{ name: 'odd-\ufffd', kind: 'other', size: 0, time: 0, writable: false }]);
  });
});
