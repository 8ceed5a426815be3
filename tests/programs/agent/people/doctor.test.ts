/** What the doctor says about a real wlroots desktop, its XWayland, and the parts of the device. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeDesktops } from '@drawbridge/agent/platform/doctor';
import { startDisplay } from '../../../kit/display/display.ts';
import { openDisplaySockets } from '../../../kit/display/display-sockets.ts';
import { openDeviceOfPeople } from '../../../kit/display/people/signed-in-people.ts';
import { startSound } from '../../../kit/display/sound.ts';
import { startSway } from '../../../kit/display/sway.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('sway');

test('XWayland of a desktop is not taken for a display of its own', { skip }, async () => {
  await using sway = await startSway(1_000, 600, 'force');
  using sockets = openDisplaySockets();
  sockets.add({ name: await sway.xwayland() }, 5);

  const { lines, isComplete } = await describeDesktops();

  assert.equal(lines[0], 'X11 display :5: XWayland inside a Wayland desktop, which is shown in its place.');
  assert.match(lines[1]!, /^Wayland desktop wayland-\d+ of .+ \(sway\):$/);
  assert.ok(lines.includes('  wlroots: used.'), lines.join('\n'));
  assert.equal(isComplete, true);
});

test(
  'a display is shown directly, and one without a server cannot be',
  { skip: skipWithout('Xvfb') },
  async () => {
    using sockets = openDisplaySockets();
    await sockets.addStale(3);
    const stale = await describeDesktops();
    await using display = await startDisplay(410, 300);
    sockets.add(display, 1);
    const both = await describeDesktops();

    assert.match(stale.lines[0]!, /^X11 display :3: not used\. Nobody is using a screen/);
    assert.equal(stale.isComplete, false);
    assert.equal(both.lines[0], 'X11 display :1: shown directly.');
    assert.equal(both.isComplete, true);
  },
);

test(
  'a locked screen is named',
  { skip: skip || (process.getuid?.() !== 0 && 'only root can start the desktop of somebody else') },
  async () => {
    await using device = openDeviceOfPeople();
    await device.signIn(1, 1_000);
    device.putInFront(1);
    const locked = '  The screen is locked. Operators see the lock screen.';

    const before = await describeDesktops();
    device.lock(1);
    const after = await describeDesktops();

    assert.deepEqual([before.lines.includes(locked), after.lines.includes(locked)], [false, true]);
  },
);

const partsOf = async (): Promise<string[]> =>
  (await describeDesktops()).lines.filter((line) => /^(?:Sound|Printing): /.test(line));

test(
  'the parts for sound and printing are named if they are missing',
  { skip: skipWithout('PulseAudio') },
  async () => {
    using sockets = openDisplaySockets();
    await using sound = await startSound();
    const usual = process.env['PATH']!;
    const programs = join(sockets.folder, 'programs');
    mkdirSync(programs);
    Object.assign(process.env, sound.env);
    try {
      process.env['PATH'] = programs;
      const none = await partsOf();
      for (const name of ['parec', 'pactl']) symlinkSync(join('/usr/bin', name), join(programs, name));
      for (const [name, says] of [
        ['lpadmin', ''],
        ['lpstat', 'scheduler is not running'],
      ] as const) {
        writeFileSync(join(programs, name), `#!/bin/sh\necho '${says}'\n`);
        chmodSync(join(programs, name), 0o755);
      }
      const stopped = await partsOf();
      writeFileSync(join(programs, 'lpstat'), "#!/bin/sh\necho 'scheduler is running'\n");
      const all = await partsOf();
      await sound[Symbol.asyncDispose]();
      const [silent] = await partsOf();

      assert.deepEqual(none, [
        'Sound: parec is missing. Install the package pulseaudio-utils.',
        'Printing: CUPS is missing. Install the packages cups and cups-filters.',
      ]);
      assert.deepEqual(stopped, ['Sound: possible.', 'Printing: CUPS does not run. Start its service.']);
      assert.deepEqual(all, ['Sound: possible.', 'Printing: possible.']);
      assert.equal(silent, 'Sound: the sound server does not answer, or it has no loudspeaker.');
    } finally {
      process.env['PATH'] = usual;
      for (const name of Object.keys(sound.env)) delete process.env[name];
    }
  },
);
