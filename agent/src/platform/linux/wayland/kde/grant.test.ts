/** What the installation places on a device with KWin, and removes, in the file system of a device that the test plays. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { grantedProgram, grantRootSetting, placeKdeGrant, removeKdeGrant } from './grant.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'drawbridge-grant-'));
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  process.env[grantRootSetting] = root;
});
afterEach(() => {
  delete process.env[grantRootSetting];
  rmSync(root, { recursive: true });
});

const addKwin = (): void => writeFileSync(join(root, 'usr/bin/kwin_wayland'), '');
const desktopFile = (): string =>
  join(root, 'usr/local/share/applications/drawbridge-desktop-helper.desktop');
const sizeOfOwn = statSync(process.execPath).size;

test('on a device without KWin nothing is placed', async () => {
  assert.deepEqual(await placeKdeGrant(), []);
  assert.equal(existsSync(join(root, 'usr/local')), false);
  assert.equal(await grantedProgram(), undefined);
});

test('the desktop file names a copy of the program that others may read, but not start', async () => {
  addKwin();

  const placed = await placeKdeGrant();
  const program = (await grantedProgram())!;
  const lines = readFileSync(desktopFile(), 'utf8').split('\n');

  assert.deepEqual(
    placed.map((line) => line.split(':')[0]),
    [program, desktopFile()],
  );
  assert.equal(statSync(program).mode & 0o777, 0o744);
  assert.equal(statSync(program).size, sizeOfOwn);
  assert.ok(lines.includes(`Exec=${program}`));
  assert.ok(
    lines.includes(
      'X-KDE-Wayland-Interfaces=zkde_screencast_unstable_v1,org_kde_kwin_fake_input,org_kde_kwin_keystate',
    ),
  );
  assert.ok(lines.includes('NoDisplay=true'));
});

test('the copy of another version is replaced when the helper is started, and the own one is kept', async () => {
  addKwin();
  await placeKdeGrant();
  const before = statSync((await grantedProgram())!).ino;
  const kept = statSync((await grantedProgram())!).ino;
  writeFileSync((await grantedProgram())!, 'another version');

  const renewed = statSync((await grantedProgram())!);

  assert.equal(kept, before);
  assert.deepEqual([renewed.size, renewed.mode & 0o777], [sizeOfOwn, 0o744]);
});

test('the person can read what root places with a mask that hides it from others', async () => {
  addKwin();
  const mask = process.umask(0o077);
  try {
    await placeKdeGrant();
  } finally {
    process.umask(mask);
  }

  const placed = [
    desktopFile(),
    ...['', '/lib', '/lib/drawbridge', '/share', '/share/applications'].map((each) =>
      join(root, `usr/local${each}`),
    ),
  ];
  assert.deepEqual(
    placed.map((each) => statSync(each).mode & 0o777),
    [0o644, 0o755, 0o755, 0o755, 0o755, 0o755],
  );
});

test('a copy that failed is not tried again for a minute', async (t) => {
  addKwin();
  await placeKdeGrant();
  const program = (await grantedProgram())!;
  rmSync(program);
  mkdirSync(join(program, 'not empty'), { recursive: true });
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  await assert.rejects(grantedProgram(), /rename/);
  rmSync(program, { recursive: true });

  now += 59_999;
  await assert.rejects(grantedProgram(), /rename/);
  now += 1;
  await grantedProgram();

  assert.equal(statSync(program).size, sizeOfOwn);
});

test('processes that replace the copy at the same time do not disturb each other', async () => {
  addKwin();
  await placeKdeGrant();
  writeFileSync((await grantedProgram())!, 'another version');
  const script = `const { grantedProgram } = await import('${new URL('grant.ts', import.meta.url).href}');
    process.stdout.write('ready');
    process.stdin.once('data', () => { process.stdin.destroy(); void grantedProgram(); });`;
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const ended = children.map((child) => once(child, 'exit'));
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));

  for (const { stdin } of children) stdin.write('start');

  assert.deepEqual(
    await Promise.all(ended),
    children.map(() => [0, null]),
  );
  assert.deepEqual(readdirSync(join(root, 'usr/local/lib/drawbridge')), ['desktop-helper']);
  assert.equal(statSync((await grantedProgram())!).size, sizeOfOwn);
});

test('the removal takes away both files, and leaves the folder with those of others', async () => {
  addKwin();
  await placeKdeGrant();
  const program = (await grantedProgram())!;
  const other = join(root, 'usr/local/share/applications/other.desktop');
  const unfinished = `${program}.new-1`;
  mkdirSync(unfinished);
  for (const each of [other, join(unfinished, 'desktop-helper')]) writeFileSync(each, '');

  removeKdeGrant();

  assert.deepEqual([program, unfinished, desktopFile(), other].map(existsSync), [false, false, false, true]);
  assert.equal(await grantedProgram(), undefined);
});

test('an installation goes on where the grant cannot be placed, and says so', async () => {
  addKwin();
  writeFileSync(join(root, 'usr/local'), 'no folder');

  const placed = await placeKdeGrant();

  assert.match(placed.join('\n'), /^not placed: .*ENOTDIR.*$/);
  assert.equal(await grantedProgram(), undefined);
});
