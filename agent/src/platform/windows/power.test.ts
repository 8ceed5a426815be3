/** Tests of rebooting and locking on Windows: which programs are run, and how safe mode is left again. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { folderVariable } from '../../folder.ts';
import { NotPossible } from '../platform.ts';
import { createPower, safeModeMarkName } from './power.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-power-'));
  process.env[folderVariable] = folder;
});
afterEach(() => {
  delete process.env[folderVariable];
  rmSync(folder, { recursive: true, force: true });
});

const isMarked = (): boolean => existsSync(join(folder, safeModeMarkName));

/** Programs of which one can fail, and the lines that were run. */
function somePower(failing?: string) {
  const lines: string[] = [];
  const power = createPower(async (program, args) => {
    lines.push([program, ...args].join(' '));
    if (program === failing)
      throw Object.assign(new Error('it ended with 1'), { stderr: 'Access is denied.\n' });
    return '';
  });
  return { lines, ...power };
}

test('reboot and lock run the programs of Windows', async () => {
  const { lines, reboot, lock } = somePower();

  await reboot({ safe: false });
  await lock();

  assert.deepEqual(lines, ['shutdown.exe /r /t 0 /f', 'rundll32.exe user32.dll,LockWorkStation']);
});

test('a reboot into safe mode is remembered, and the agent leaves safe mode once', async () => {
  const { lines, reboot, leaveSafeMode } = somePower();

  await leaveSafeMode();
  assert.deepEqual(lines, []);
  await reboot({ safe: true });
  assert.equal(isMarked(), true);
  await leaveSafeMode();
  await leaveSafeMode();

  assert.equal(isMarked(), false);
  assert.deepEqual(lines, [
    'bcdedit.exe /set {current} safeboot network',
    'shutdown.exe /r /t 0 /f',
    'bcdedit.exe /deletevalue {current} safeboot',
  ]);
});

test('if safe mode is refused, the device does not reboot', async () => {
  const { lines, reboot } = somePower('bcdedit.exe');

  await assert.rejects(
    reboot({ safe: true }),
    new NotPossible('Windows refused to start in safe mode: Access is denied.'),
  );
  assert.equal(isMarked(), false);
  assert.equal(lines.length, 1);
});

test('if the reboot itself is refused, the next start is a usual one', async () => {
  const { lines, reboot } = somePower('shutdown.exe');

  await assert.rejects(
    reboot({ safe: true }),
    new NotPossible('Windows refused to reboot: Access is denied.'),
  );
  assert.equal(isMarked(), false);
  assert.equal(lines.at(-1), 'bcdedit.exe /deletevalue {current} safeboot');
});
