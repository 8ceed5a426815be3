/** Tests of which folders the agent accepts for its state and for native modules. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, afterEach, test } from 'node:test';
import { isPrivateFolder, isSafeParent, requirePrivateFolder } from './private-folder.ts';
import { NotPossible } from './platform.ts';
import { temporaryFolder } from './temporary-folder.ts';

const asRoot = process.getuid?.() !== 0 && 'only root can make folders of other users';
const nobody = 65_534;

let parent = '';
let inner = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'drawbridge-parent-'));
  inner = join(parent, 'inner');
  mkdirSync(inner, { mode: 0o755 });
});
afterEach(() => rmSync(parent, { recursive: true }));

const both = (): boolean[] => [isSafeParent(inner), isPrivateFolder(inner)];

test('a folder is private if nobody else can write to it or its parents, also before it exists', () => {
  assert.deepEqual(both(), [true, true]);
  assert.ok(isPrivateFolder(join(inner, 'not/there')));
});

test('in a shared folder such as /tmp new folders are safe, and existing ones are not', () => {
  chmodSync(inner, 0o1777);
  assert.deepEqual(both(), [true, false]);
});

test('nothing is safe where others can write or could replace a parent folder', () => {
  chmodSync(inner, 0o777);
  assert.deepEqual(both(), [false, false]);
  chmodSync(inner, 0o755);
  chmodSync(parent, 0o777);
  assert.deepEqual(both(), [false, false]);
});

test(
  'nothing is safe in another user’s folder or behind a link that another user has created',
  { skip: asRoot },
  () => {
    symlinkSync(inner, join(parent, 'link'));
    assert.ok(isPrivateFolder(join(parent, 'link')));
    lchownSync(join(parent, 'link'), nobody, nobody);
    assert.ok(!isPrivateFolder(join(parent, 'link')));

    chownSync(inner, nobody, nobody);
    assert.deepEqual(both(), [false, false]);
    assert.throws(
      () => requirePrivateFolder(inner),
      (error) => error instanceof NotPossible && error.message.startsWith(`Users other than root can change`),
    );
  },
);

/** Runs as another user, in a folder that they own and their group can write. */
function inGroupFolderOf(uid: number, gid: number): boolean[] {
  chmodSync(parent, 0o755);
  chownSync(inner, uid, gid);
  chmodSync(inner, 0o775);
  process.setegid!(gid);
  process.seteuid!(uid);
  try {
    return both();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
}

const idOf = (file: string, name: string): number =>
  Number(new RegExp(`^${name}:[^:]*:(\\d+):`, 'm').exec(readFileSync(file, 'utf8'))![1]);

test(
  'a folder that a group can write is private only if the user is its only member',
  { skip: asRoot },
  () => {
    const [user, group] = [idOf('/etc/passwd', 'daemon'), idOf('/etc/group', 'daemon')];
    const shared = idOf('/etc/group', 'users');

    assert.deepEqual(inGroupFolderOf(user, group), [true, true]);
    assert.deepEqual(inGroupFolderOf(user, shared), [false, false]);
    assert.deepEqual(inGroupFolderOf(nobody, nobody), [false, false]);
    assert.deepEqual(inGroupFolderOf(0, 0), [true, true]);
    assert.deepEqual(inGroupFolderOf(0, shared), [false, false]);
  },
);

test('an ordinary user may use a group-writable folder for the state of the agent', () => {
  chmodSync(inner, 0o775);
  assert.equal(requirePrivateFolder(inner), inner);
});

test('a dangling link is not safe', () => {
  symlinkSync(join(parent, 'none'), join(parent, 'link'));
  assert.ok(!isSafeParent(join(parent, 'link')));
});

test('no temporary folder is created where another user could replace it', () => {
  chmodSync(inner, 0o777);

  const folder = temporaryFolder(inner);

  assert.ok(!folder.startsWith(inner));
  rmSync(folder, { recursive: true });
});
