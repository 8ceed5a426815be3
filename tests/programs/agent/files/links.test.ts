/**
 * Files in a session where symbolic links exist: which ones are followed, and that none is followed that
 * another user could have created.
 */
import assert from 'node:assert/strict';
import {
  chmod,
  lchown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { uploadTo, startFilesFixture, type FilesFixture } from '../../../kit/agent/files-fixture.ts';
import { giveToOtherUser, otherUser } from '../../../kit/agent/local-user.ts';

const asRoot = process.getuid?.() !== 0 && 'only root can make files of other users';
const sentence =
  'The path contains a link that another user can change. Open the target of the link instead.';

let place = '';
let root = '';
let number = 0;
before(async () => (place = await mkdtemp(join(tmpdir(), 'drawbridge-links-'))));
/** `theirs` belongs to another user, `precious` does not. */
beforeEach(async () => {
  root = join(place, String((number += 1)));
  for (const folder of ['', 'theirs', 'precious']) await mkdir(join(root, folder), { mode: 0o755 });
  await writeFile(join(root, 'precious/file'), 'precious');
});
after(() => rm(place, { recursive: true }));

const messageOf = (one: FilesFixture, id: number): string | undefined => {
  const last = one.answers(id).at(-1);
  return last?.is === 'failed' ? last.message : undefined;
};

describe('a link that another user created in their own folder', () => {
  const requests: Record<string, (one: FilesFixture) => Promise<unknown>> = {
    'is not followed by a list': (one) => one.ask({ do: 'list', id: 1, path: '/theirs/way' }),
    'is not followed by a download': (one) =>
      one.ask({ do: 'get', id: 1, path: '/theirs/way/file', from: 0 }),
    'is not downloaded itself': (one) => one.ask({ do: 'get', id: 1, path: '/theirs/file', from: 0 }),
    'uploads no file elsewhere': (one) => uploadTo(one, 1, { path: '/theirs/way/new' }, Buffer.from('new')),
    'replaces no file elsewhere': (one) =>
      uploadTo(one, 1, { path: '/theirs/way/file', replace: true }, Buffer.from('new')),
    'creates no folder elsewhere': (one) => one.ask({ do: 'folder', id: 1, path: '/theirs/way/new' }),
    'moves nothing from elsewhere': (one) =>
      one.ask({ do: 'rename', id: 1, path: '/theirs/way/file', to: '/theirs/mine' }),
    'moves nothing to elsewhere': (one) =>
      one.ask({ do: 'rename', id: 1, path: '/theirs/own', to: '/theirs/way/own' }),
    'removes nothing elsewhere': (one) => one.ask({ do: 'remove', id: 1, path: '/theirs/way/file' }),
  };
  for (const [action, ask] of Object.entries(requests))
    test(action, async () => {
      await symlink('../precious', join(root, 'theirs/way'));
      await symlink('../precious/file', join(root, 'theirs/file'));
      await writeFile(join(root, 'theirs/own'), 'own');
      giveToOtherUser(join(root, 'theirs'));
      const one = startFilesFixture(root);

      await ask(one);

      assert.equal(messageOf(one, 1), sentence);
      assert.deepEqual(one.featureContext.pieces('file_bytes'), []);
      assert.deepEqual(await readdir(join(root, 'precious')), ['file']);
      assert.equal(await readFile(join(root, 'precious/file'), 'utf8'), 'precious');
    });

  test('is removed itself, and replaced by an uploaded file', async () => {
    for (const name of ['way', 'replaced']) await symlink('../precious', join(root, 'theirs', name));
    giveToOtherUser(join(root, 'theirs'));
    const one = startFilesFixture(root);

    await one.ask({ do: 'remove', id: 1, path: '/theirs/way' });
    await uploadTo(one, 2, { path: '/theirs/replaced', replace: true }, Buffer.from('new'));

    assert.deepEqual(await readdir(join(root, 'theirs')), ['replaced']);
    assert.equal(await readFile(join(root, 'theirs/replaced'), 'utf8'), 'new');
    assert.deepEqual(await readdir(join(root, 'precious')), ['file']);
  });

  test('is refused also as a hard link to the file', async () => {
    await link(join(root, 'precious/file'), join(root, 'theirs/file'));
    await chmod(join(root, 'theirs'), 0o777);
    const one = startFilesFixture(root);

    await one.ask({ do: 'get', id: 1, path: '/theirs/file', from: 0 });

    assert.equal(messageOf(one, 1), sentence);
  });

  test('leads to folders and files that are theirs too', { skip: asRoot }, async () => {
    await mkdir(join(root, 'theirs/real'));
    await writeFile(join(root, 'theirs/real/file'), 'theirs');
    await symlink('real', join(root, 'theirs/way'));
    await symlink('way/file', join(root, 'theirs/file'));
    giveToOtherUser(join(root, 'theirs'));
    const one = startFilesFixture(root);

    await one.ask({ do: 'get', id: 1, path: '/theirs/file', from: 0 });
    await one.ask({ do: 'remove', id: 2, path: '/theirs/way/file' });

    assert.equal(one.answers(1)[0]?.is, 'get');
    assert.equal(one.answers(2)[0]?.is, 'done');
    assert.deepEqual(await readdir(join(root, 'theirs/real')), []);
    await one.part.stop();
  });
});

describe('a link in a folder that only root and the agent can change', () => {
  test('leads anywhere below the open folder', async () => {
    await symlink('precious', join(root, 'way'));
    await symlink(join(root, 'way'), join(root, 'whole'));
    const one = startFilesFixture(root);

    for (const [id, path] of [
      [1, '/way'],
      [2, '/whole'],
    ] as const) {
      await one.ask({ do: 'list', id, path });
      const [listed] = one.answers(id);
      assert.ok(listed?.is === 'list' && listed.entries[0]?.name === 'file');
    }
  });

  test('is followed in a folder for everyone, such as /tmp, if it does not belong to another user', async () => {
    await chmod(join(root, 'theirs'), 0o1777);
    await symlink('../precious', join(root, 'theirs/way'));
    const one = startFilesFixture(root);
    await one.ask({ do: 'list', id: 1, path: '/theirs/way' });
    assert.equal(one.answers(1)[0]?.is, 'list');

    if (asRoot) return;
    await lchown(join(root, 'theirs/way'), otherUser.uid, otherUser.gid);
    await one.ask({ do: 'list', id: 2, path: '/theirs/way' });
    assert.equal(messageOf(one, 2), sentence);
    assert.equal(await readlink(join(root, 'theirs/way')), '../precious');
  });
});

describe('names like those of partial uploads', () => {
  const nameOf = (letter: string): string => `.${letter.repeat(32)}.drawbridge-part`;

  test('given to links, folders and pipes do no harm when a folder is listed', async () => {
    const theirs = join(root, 'theirs');
    await symlink('../precious/file', join(theirs, nameOf('a')));
    await symlink('../precious', join(theirs, nameOf('b')));
    await mkdir(join(theirs, nameOf('c'), 'inner'), { recursive: true });
    await link(join(root, 'precious/file'), join(theirs, nameOf('d')));
    giveToOtherUser(theirs);
    const one = startFilesFixture(root);

    await one.ask({ do: 'list', id: 1, path: '/theirs' });
    await uploadTo(one, 2, { path: '/theirs/new' }, Buffer.from('new'));

    assert.equal(one.answers(2).at(-1)?.is, 'done');
    assert.deepEqual(
      (await readdir(theirs)).toSorted(),
      [...['a', 'b', 'c', 'd'].map(nameOf), 'new'].toSorted(),
    );
    assert.equal(await readFile(join(root, 'precious/file'), 'utf8'), 'precious');
  });
});
