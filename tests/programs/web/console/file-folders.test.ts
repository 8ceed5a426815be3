/**
 * Whole folders between a console and a device: uploaded again, and downloaded while some content cannot be
 * read.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { uploadAll } from '@drawbridge/web/console/panels/files/upload-all';
import type { RemoteFiles } from '@drawbridge/web/console/panels/files/remote-files';
import { filesBelow } from '@drawbridge/web/console/panels/files/download-folder';
import { createTransfers } from '@drawbridge/web/console/panels/files/transfers';
import { openFileFixture } from './file-fixture.ts';

let root = '';
before(async () => (root = await mkdtemp(join(tmpdir(), 'drawbridge-folders-'))));
after(() => rm(root, { recursive: true }));

/** Uploads files of these paths, each with the same text; returns what was asked, listed and transferred. */
async function upload(paths: readonly string[], text: string, mayReplace: boolean) {
  const { remote } = openFileFixture(root);
  const [asked, listed]: [(readonly string[])[], string[]] = [[], []];
  const transfers = createTransfers(() => {});
  const watched: RemoteFiles = {
    ...remote,
    list(path) {
      listed.push(path);
      return remote.list(path);
    },
  };
  const chosen = paths.map((path) => ({ path, file: new File([text], path.split('/').at(-1)!) }));
  await uploadAll({
    remote: watched,
    transfers,
    folder: '/',
    chosen,
    async mayReplace(taken) {
      asked.push(taken);
      return mayReplace;
    },
  });
  return { asked, listed, states: transfers.all.map(({ name, state }) => `${name} ${state}`) };
}

const textOf = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

describe('an uploaded folder', () => {
  const paths = ['photos/a.jpg', 'photos/b.jpg', 'photos/2026/c.jpg'];

  test('asks once when it is uploaded again, and lists each folder once', async () => {
    const first = await upload(paths, 'one', false);
    assert.deepEqual([first.asked, first.listed], [[], ['/']]);
    assert.deepEqual(
      first.states,
      paths.map((path) => `${path} done`),
    );

    const more = [...paths, 'photos/d.jpg'];
    const left = await upload(more, 'two', false);
    assert.deepEqual(left.asked, [paths]);
    assert.deepEqual(left.listed, ['/', '/photos', '/photos/2026']);
    assert.deepEqual(left.states, ['photos/d.jpg done']);
    assert.deepEqual([await textOf('photos/a.jpg'), await textOf('photos/d.jpg')], ['one', 'two']);

    const replaced = await upload(more, 'three', true);
    assert.deepEqual(replaced.asked, [more]);
    assert.deepEqual(
      replaced.states,
      more.map((path) => `${path} done`),
    );
    assert.deepEqual([await textOf('photos/2026/c.jpg'), await textOf('photos/d.jpg')], ['three', 'three']);
  });
});

describe('a downloaded folder', () => {
  /** Downloads `/name`; `at` is called whenever bytes have arrived. */
  async function fetched(fixture: ReturnType<typeof openFileFixture>, name: string, at: () => void) {
    const leftOut: string[] = [];
    const names: string[] = [];
    const { signal } = new AbortController();
    const top = { path: `/${name}`, as: name };
    for await (const file of filesBelow(fixture.remote, top, { leftOut, at, signal })) names.push(file.name);
    return { names: names.toSorted(), leftOut: leftOut.toSorted() };
  }

  const fill = async (name: string): Promise<void> => {
    for (const folder of ['inner', 'gone']) await mkdir(join(root, name, folder), { recursive: true });
    for (const file of ['a', 'b', 'inner/c', 'gone/d']) await writeFile(join(root, name, file), file);
  };

  test('omits what could not be read, and says what that was', async () => {
    await fill('some');
    // When the second file is requested, it and a folder are gone.
    const fixture = openFileFixture(root);
    const { download: fetch } = fixture.remote;
    fixture.remote.download = async (path, signal) => {
      if (path === '/some/b')
        await Promise.all(['b', 'gone'].map((each) => rm(join(root, 'some', each), { recursive: true })));
      return fetch(path, signal);
    };

    const { names, leftOut } = await fetched(fixture, 'some', () => {});

    assert.deepEqual(names, ['some/a', 'some/gone/', 'some/inner/c']);
    assert.deepEqual(leftOut, ['some/b', 'some/gone']);
  });

  test('ends with the session, and does not pass for one with files left out', async () => {
    await fill('other');
    const fixture = openFileFixture(root);

    await assert.rejects(
      fetched(fixture, 'other', () => fixture.end()),
      { code: 'session_ended' },
    );
  });

  test('is a failed transfer if it is refused as a whole, and a note marks one that is done', async () => {
    const { remote } = openFileFixture(root);
    const transfers = createTransfers(() => {});
    const { signal } = new AbortController();
    const top = { path: '/nothing', as: 'nothing' };
    await transfers.add({
      name: 'nothing.zip',
      direction: 'download',
      async run(report) {
        for await (const _ of filesBelow(remote, top, { leftOut: [], at: report.at, signal }));
      },
    });
    await transfers.add({ name: 'some.zip', direction: 'download', run: async () => 'a is left out' });

    assert.deepEqual(
      transfers.all.map(({ state, message, note }) => [state, message, note]),
      [
        ['failed', 'There is no file or folder with that name.', ''],
        ['done', 'done', 'a is left out'],
      ],
    );
  });
});
