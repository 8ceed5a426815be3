/** A real GNOME desktop that gets another size, and one on which nothing changes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { startGnome } from '../../../kit/display/gnome.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('GNOME');
const [width, height] = [1_000, 600];
const quietMs = 3_000;

/** The CPU time of the agent's helper so far, in hundredths of a second. */
function helperTime(): number {
  const [helper] = execFileSync('pgrep', ['-P', `${process.pid}`, '-f', 'desktop-helper'])
    .toString()
    .split('\n');
  const fields = readFileSync(`/proc/${helper}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

test('GNOME takes the sizes that its monitor supports', { skip }, async () => {
  await using _gnome = await startGnome(width, height);
  const desktop = await openDesktop();
  using _ = { [Symbol.dispose]: () => desktop.close() };

  const { sizes } = await desktop.layout();
  await desktop.resize(width, height);
  const after = await desktop.layout();

  // A virtual monitor has one size.
  assert.deepEqual(sizes, [{ width, height }]);
  assert.deepEqual([after.width, after.height], [width, height]);
  await assert.rejects(desktop.resize(800, 600), /cannot be set to 800×600 pixels/);
});

test(
  'while nothing changes on a GNOME desktop, nothing is reported and the helper does not run',
  { skip },
  async () => {
    await using gnome = await startGnome(width, height, '--unsafe-mode');
    await gnome.beginWork();
    const desktop = await openDesktop();
    using _ = { [Symbol.dispose]: () => desktop.close() };
    const capture = await desktop.capture();
    let reports = 0;
    capture.onDamage(() => (reports += 1));
    const input = await desktop.input();
    await capture.damage();

    // The caret of the text field blinks for some seconds.
    const quiet = await eventually(
      async () => {
        await capture.damage();
        const [before, timeBefore] = [reports, helperTime()];
        await pause(quietMs);
        return [reports - before, helperTime() - timeBefore];
      },
      ([count]) => count === 0,
    );
    const changed = new Promise<void>((resolve) => capture.onDamage(resolve));
    [true, false].forEach((isDown) => input.key(isDown, 'KeyA', 'a'));
    await changed;
    capture.close();

    assert.ok(quiet[1]! <= 3, `the helper ran ${quiet[1]! * 10} ms in ${quietMs} ms`);
  },
);
