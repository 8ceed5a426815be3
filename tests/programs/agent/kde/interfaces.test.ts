/**
 * KDE through KWin's own interfaces, which KWin grants to the helper of an installed agent and to no other program. A long run, because KDE
 * takes 3 GB: `DRAWBRIDGE_TEST_KDE=1`, as root.
 */
import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { folderVariable } from '@drawbridge/agent/folder';
import { describeDesktops } from '@drawbridge/agent/platform/doctor';
import type { DesktopInput } from '@drawbridge/agent/platform/desktop';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import {
  grantedProgram,
  grantRootSetting,
  placeKdeGrant,
  removeKdeGrant,
} from '@drawbridge/agent/platform/linux/wayland/kde/grant';
import { nobody } from '../../../kit/display/desktop-of-another-user.ts';
import { startKde, type Kde } from '../../../kit/display/kde.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { openDesktopSession } from '../../../kit/session/desktop-session.ts';

const skip = skipWithout('KDE');
const [width, height] = [1_000, 600];
/** The kernel's number of the key. */
const capsLock = 58;
const kwins = [
  { release: 'trixie', name: 'KWin 6.3', skip },
  { release: 'bookworm', name: 'KWin 5.27', skip: skipWithout('KDE 5') },
] as const;

const notGranted =
  /KDE: KWin does not grant its interfaces \(zkde_screencast_unstable_v1, org_kde_kwin_fake_input\)/;
const cannotShare = /cannot share its screen\. KWin says: “OpenGL compositing is required/;

const doctor = async (): Promise<string> => (await describeDesktops()).lines.join('\n');

const desktopFileIn = (root: string): string =>
  join(root, 'usr/local/share/applications/drawbridge-desktop-helper.desktop');

const agentProgram = join(import.meta.dirname, '../../../../agent/src/main.ts');

/** Starts a program as the person does, on their desktop. */
const runAsPerson = ({ folder }: Kde, ...command: string[]): SpawnSyncReturns<string> =>
  spawnSync(
    'setpriv',
    ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups', 'env', ...command],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        XDG_RUNTIME_DIR: folder,
        WAYLAND_DISPLAY: 'wayland-0',
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus`,
        [folderVariable]: join(folder, 'agent'),
      },
    },
  );

const recorded = (kde: Kde, line: string): Promise<unknown> =>
  eventually(kde.events, (events) => events.includes(line));

function press(input: DesktopInput, code: string, key: string): void {
  for (const down of [true, false]) input.key(down, code, key);
}

type Moves = readonly (readonly [x: number, y: number, buttons: number])[];

const moveTo = (input: DesktopInput, moves: Moves): void =>
  moves.forEach(([x, y, buttons]) => input.pointer(x, y, buttons));

/** Nobody sees where the button of the banner is, and it ignores clicks for a moment after it appears. */
function clickAlongTop(input: DesktopInput): void {
  for (let x = 0; x < width; x += 20)
    for (let y = 4; y < 60; y += 8)
      moveTo(
        input,
        [0, 1, 0].map((buttons) => [x, y, buttons] as const),
      );
}

/**
 * Lets the agent start the copy that KWin granted its interfaces to, although KWin finds no desktop file: the agent takes another folder for
 * the root of the device, in which the folder of programs is a link.
 */
async function doctorOfCopy({ root }: Kde): Promise<string> {
  const other = join(root, 'other');
  mkdirSync(dirname(desktopFileIn(other)), { recursive: true });
  writeFileSync(desktopFileIn(other), '');
  symlinkSync(join(root, 'usr/local/lib'), join(other, 'usr/local/lib'));
  process.env[grantRootSetting] = other;
  try {
    assert.equal(
      realpathSync((await grantedProgram())!),
      realpathSync(join(root, 'usr/local/lib/drawbridge/desktop-helper')),
    );
    return await doctor();
  } finally {
    process.env[grantRootSetting] = root;
  }
}

function runGrants(): void {
  for (const { release, name, skip: skipped } of kwins)
    void test(
      `${name} grants its interfaces to the helper after the installation, not before it, and not after the removal`,
      { skip: skipped },
      async () => {
        await using kde = await startKde(width, height, { release });
        const before = await doctor();
        await placeKdeGrant();
        const installed = await doctor();
        const ofPerson = runAsPerson(kde, process.execPath, agentProgram, 'doctor').stdout;
        const program = join(kde.root, 'usr/local/lib/drawbridge/desktop-helper');
        const started = runAsPerson(kde, program, '--version');
        removeKdeGrant();
        const left = [program, desktopFileIn(kde.root)].filter(existsSync);
        const after = await doctor();
        const ofCopy = await doctorOfCopy(kde);
        rmSync(dirname(program), { recursive: true });
        writeFileSync(desktopFileIn(kde.root), '');
        const withoutFolder = await doctor();

        assert.match(before, notGranted);
        assert.match(installed, /KDE: used\./);
        assert.match(ofPerson, notGranted);
        assert.match(started.stderr, /Permission denied/);
        assert.deepEqual(left, []);
        assert.match(after, notGranted);
        assert.match(ofCopy, notGranted);
        assert.match(withoutFolder, notGranted);
      },
    );
}

function runInput(): void {
  for (const { release, name, skip: skipped } of kwins)
    void test(
      `with ${name} the operator types letters of every script, drags, scrolls, and pastes in both directions`,
      { skip: skipped },
      async () => {
        await using kde = await startKde(width, height, { release });
        await placeKdeGrant();
        const desktop = await openDesktop();
        const [input, clipboard] = [await desktop.input(), await desktop.clipboard()];
        const copied: string[] = [];
        clipboard.onChange((text) => copied.push(text));

        for (const letter of 'aB!äß€ж漢') press(input, 'KeyA', letter);
        await recorded(kde, 'text aB!äß€ж漢');
        moveTo(input, [
          [299, 200, 0],
          [300, 200, 0],
        ]);
        await recorded(kde, 'pointer 300 200');
        moveTo(input, [
          [300, 200, 1],
          [350, 220, 1],
          [420, 250, 1],
          [420, 250, 0],
        ]);
        await recorded(kde, 'drag 120 50');
        // KWin tells programs the distance of a notch, and not the notch.
        input.wheel(0, 120);
        await recorded(kde, 'scroll 0 10');
        clipboard.write('from the operator ß漢');
        await recorded(kde, 'clipboard from the operator ß漢');
        press(input, 'F9', 'F9');
        await eventually(
          () => copied,
          (texts) => texts.includes('from the device äж漢'),
        );
        desktop.close();
      },
    );
}

function runCapsLock(): void {
  void test(
    'letters arrive as the operator types them while CapsLock of the device is on',
    { skip },
    async () => {
      await using kde = await startKde(width, height, { isOpen: true });
      await kde.press(capsLock);
      const desktop = await openDesktop();
      const input = await desktop.input();

      for (const letter of 'aBä') press(input, 'KeyA', letter);
      await recorded(kde, 'text aBä');
      await kde.press(capsLock);
      await eventually(
        () => {
          press(input, 'Backspace', 'Backspace');
          press(input, 'KeyA', 'b');
          return kde.events();
        },
        (events) => events.includes('text aBb'),
      );
      desktop.close();
    },
  );
}

function runSession(): void {
  void test(
    'a session says in a sentence that KWin cannot share its screen, as the doctor does, and the person is not asked for it',
    { skip },
    async () => {
      await using _ = await startKde(width, height);
      await placeKdeGrant();
      const said = await doctor();
      await using fixture = await openDesktopSession();
      await using ann = fixture.meet();

      const { message } = await ann.until('refused');

      assert.match(said, new RegExp(`Missing: .*${cannotShare.source}`));
      assert.match(message, cannotShare);
      assert.deepEqual(ann.messages('layout'), []);
    },
  );

  void test('the banner is above all windows, and the pointer reaches its button', { skip }, async () => {
    await using _ = await startKde(width, height);
    await placeKdeGrant();
    const desktop = await openDesktop();
    const input = await desktop.input();
    const banner = await desktop.banner('Ann is connected');
    let isStopped = false;
    banner.onStop(() => (isStopped = true));

    await eventually(
      () => {
        clickAlongTop(input);
        return isStopped;
      },
      (stopped) => stopped,
    );
    desktop.close();
  });
}

if (process.env['DRAWBRIDGE_TEST_KDE'] === '1') {
  runGrants();
  runInput();
  runCapsLock();
  runSession();
}
