/**
 * Files in a session while another user of the device swaps folders for links: nothing elsewhere is read,
 * changed or removed.
 */
import assert from 'node:assert/strict';
import promises, {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '../../../kit/eventually.ts';
import { uploadTo, startFilesFixture } from '../../../kit/agent/files-fixture.ts';
import { giveToOtherUser, startFolderSwapping } from '../../../kit/agent/local-user.ts';

let place = '';
let [root, victim] = ['', ''];
let number = 0;
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'drawbridge-races-'));
  await chmod(place, 0o711);
});
beforeEach(async () => {
  const own = join(place, String((number += 1)));
  [root, victim] = [join(own, 'root'), join(own, 'victim')];
  for (const folder of [own, root, victim]) await mkdir(folder, { mode: 0o755 });
});
after(() => rm(place, { recursive: true }));

/** A folder with this many files, and as many in a folder inside. */
async function fill(folder: string, files: number): Promise<void> {
  await mkdir(join(folder, 'deep'), { recursive: true });
  const names = Array.from({ length: files }, (_, index) => [`f${index}`, `deep/f${index}`]).flat();
  await Promise.all(names.map((name) => writeFile(join(folder, name), 'precious')));
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).toSorted();

describe('a folder that is removed', () => {
  test('takes nothing else with it when a link replaces it halfway', async () => {
    await fill(victim, 1_500);
    await fill(join(root, 'work/sub'), 1_500);
    giveToOtherUser(root);
    const precious = await namesIn(victim);
    await using user = await startFolderSwapping('once', join(root, 'work/sub'), victim);
    const one = startFilesFixture(root);

    await one.ask({ do: 'remove', id: 1, path: '/work' });

    assert.deepEqual(await namesIn(victim), precious);
    // Another process reports that it happened, and its line may still be in transit.
    await eventually(
      async () => user.swaps(),
      (swaps) => swaps === 1,
    );
    assert.deepEqual(one.answers(1), [{ is: 'done', id: 1 }]);
    assert.ok(!(await readdir(root)).includes('work'));
  });

  test('takes nothing else with it however often folder and link are swapped', async () => {
    await fill(victim, 20);
    const precious = await namesIn(victim);
    giveToOtherUser(root);
    await using user = await startFolderSwapping('ever', join(root, 'work/sub'), victim);
    const one = startFilesFixture(root);

    for (let id = 1; id <= 60; id += 1) {
      const made = join(root, `made-${id}`);
      await fill(join(made, 'sub'), 20);
      giveToOtherUser(made);
      await rename(made, join(root, 'work'));
      await one.ask({ do: 'remove', id, path: '/work' });
      assert.deepEqual(await namesIn(victim), precious, `removal ${id}`);
      // What a removal has left is moved aside, not removed: removing it would be the same risk.
      if ((await readdir(root)).includes('work')) await rename(join(root, 'work'), join(root, `left-${id}`));
    }
    assert.ok(user.swaps() > 0);
  });
});

test('a folder that is filled as fast as it is emptied ends the removal, whatever its depth', async () => {
  await mkdir(join(root, 'a/b/c/d/e/f'), { recursive: true });
  const [one, real] = [startFilesFixture(root), rmdir];
  let calls = 0;
  promises.rmdir = async (path) => {
    calls += 1;
    await writeFile(join(String(path), 'again'), '').catch(() => {});
    return real(path);
  };
  syncBuiltinESMExports();
  await one.ask({ do: 'remove', id: 1, path: '/a' });
  promises.rmdir = real;
  syncBuiltinESMExports();

  assert.deepEqual(one.answers(1), [
    { is: 'failed', id: 1, message: 'The folder could not be removed because its content keeps changing.' },
  ]);
  assert.equal(calls, 8);
});

describe('the folder that is open to operators', () => {
  test('stays the same when a link replaces it while the session runs', async () => {
    await fill(victim, 1);
    await fill(root, 1);
    const one = startFilesFixture(root);
    await one.ask({ do: 'list', id: 1, path: '/' });
    await rename(root, `${root}-aside`);
    await symlink(victim, root);

    await one.ask({ do: 'list', id: 2, path: '/deep' });
    await one.ask({ do: 'get', id: 3, path: '/f0', from: 0 });
    await uploadTo(one, 4, { path: '/f0', replace: true }, Buffer.from('evil'));
    await one.ask({ do: 'folder', id: 5, path: '/new' });
    await one.ask({ do: 'rename', id: 6, path: '/f0', to: '/f1' });
    await one.ask({ do: 'remove', id: 7, path: '/deep' });

    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7].map((id) => one.answers(id).at(-1)?.is),
      ['list', ...Array.from({ length: 6 }, () => 'failed')],
    );
    assert.deepEqual(await namesIn(victim), ['deep', 'deep/f0', 'f0']);
    assert.equal(await readFile(join(victim, 'f0'), 'utf8'), 'precious');
  });
});

describe('while folder and link are swapped continuously', () => {
  /** The content of the other user's folder, and of the victim's under the same names. */
  const names = ['f0', 'replaced', 'moved'];

  test('files are read, uploaded, created and moved nowhere else', async () => {
    for (const name of names) {
      await writeFile(join(victim, name), 'precious');
      await mkdir(join(root, 'sub'), { recursive: true });
      await writeFile(join(root, 'sub', name), 'inside');
    }
    giveToOtherUser(root);
    const precious = await namesIn(victim);
    await using user = await startFolderSwapping('ever', join(root, 'sub'), victim);
    const one = startFilesFixture('/');
    const at = (name: string): string => join(root, 'sub', name);

    for (let id = 1; id <= 700; id += 7) {
      await one.ask({ do: 'get', id, path: at('f0'), from: 0 });
      await uploadTo(one, id + 1, { path: at('replaced'), replace: true }, Buffer.from('inside'));
      await uploadTo(one, id + 2, { path: at(`new-${id}`) }, Buffer.from('inside'));
      await one.ask({ do: 'folder', id: id + 3, path: at(`folder-${id}`) });
      await one.ask({ do: 'rename', id: id + 4, path: at('moved'), to: at('moved-on') });
      await one.ask({ do: 'rename', id: id + 5, path: at('moved-on'), to: at('moved') });
      await one.ask({ do: 'remove', id: id + 6, path: at('f0') });
    }
    await one.part.stop();

    const sent = one.featureContext.pieces('file_bytes').map(({ data }) => Buffer.from(data).toString());
    assert.ok(sent.every((text) => text === 'inside'));
    assert.deepEqual(await namesIn(victim), precious);
    for (const name of names) assert.equal(await readFile(join(victim, name), 'utf8'), 'precious');
    assert.ok(user.swaps() > 0);
  });
});

describe('a link in a folder where anybody can write', () => {
  const [somebody, attacker] = [12_345, 54_321];
  const asRoot = process.getuid?.() !== 0 && 'only root can make links of other users';

  test('that is swapped while it is read is not followed for another owner', { skip: asRoot }, async () => {
    const [shared, secret] = [join(root, 'shared'), join(root, 'secret')];
    await mkdir(shared);
    await chmod(shared, 0o777);
    await writeFile(secret, 'precious', { mode: 0o600 });
    await chown(secret, somebody, somebody);
    const at = (name: string): string => join(shared, name);
    for (const [name, target, uid] of [
      ['link', 'elsewhere', somebody],
      ['mine', '../secret', attacker],
    ] as const) {
      await symlink(target, at(name));
      await lchown(at(name), uid, uid);
    }
    const [one, real] = [startFilesFixture(root), readlink];
    const exchange = async (first: string, second: string): Promise<void> => {
      await rename(at(first), at('aside'));
      await rename(at(second), at(first));
      await rename(at('aside'), at(second));
    };
    promises.readlink = (async (path: string) => {
      await exchange('link', 'mine');
      const text = await real(path);
      await exchange('link', 'mine');
      return text;
    }) as typeof readlink;
    syncBuiltinESMExports();
    await one.ask({ do: 'get', id: 1, path: '/shared/link', from: 0 });
    promises.readlink = real;
    syncBuiltinESMExports();
    await one.part.stop();

    assert.deepEqual(one.featureContext.pieces('file_bytes'), []);
    assert.deepEqual(one.answers(1), [
      {
        is: 'failed',
        id: 1,
        message:
          'The path contains a link that another user can change. Open the target of the link instead.',
      },
    ]);
  });
});
