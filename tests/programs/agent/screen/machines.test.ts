/** The screens of different machines: real programs on them, and displays with fewer extensions. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { startDisplay } from '../../../kit/display/display.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { makePhoto, makeTextPicture } from '../../../kit/display/pictures.ts';
import { boundToParent } from '../../../kit/process.ts';
import { startViewer } from '../../../kit/session/viewer.ts';

const skip = skipWithout('Xvfb');
const skipPrograms = skip || skipWithout('programs of a desktop');
const [width, height] = [640, 480];
const whole = { x: 0, y: 0, width, height };
const resting = 500;

test('a real terminal that scrolls is shown by copies, and exactly', { skip: skipPrograms }, async () => {
  await using display = await startDisplay(width, height);
  await using viewer = await startViewer();
  await viewer.quiet(resting);
  const lines =
    'i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "line $i of many"; sleep 0.01; done; sleep 60';

  const terminal = spawn(...boundToParent('xterm', ['-geometry', '80x24+20+20', '-e', 'sh', '-c', lines]), {
    env: { ...process.env, DISPLAY: display.name },
    stdio: 'ignore',
  });
  await viewer.until(() => viewer.tiles.some(({ copies }) => copies.length > 0));
  await viewer.quiet(700);

  await viewer.untilSame(await display.pixels());
  terminal.kill('SIGTERM');
  await once(terminal, 'exit');
});

test('a window that is dragged is sent as a copy', { skip }, async () => {
  await using display = await startDisplay(width, height);
  display.draw(whole, makeTextPicture(1, whole));
  const { client, root } = display.connection;
  const window = client.AllocID();
  client.CreateWindow(window, root, 40, 40, 300, 200, 0, 0, 1, 0, { backgroundPixel: 0xffffff });
  client.MapWindow(window);
  display.draw({ x: 40, y: 40, width: 300, height: 200 }, makePhoto(2, { width: 300, height: 200 }));
  await using viewer = await startViewer();
  // What makes the first picture exact is not counted, however late it is.
  await viewer.untilSame(await display.pixels());
  await viewer.quiet(resting);
  const [tiles, bytes] = [viewer.tiles.length, viewer.bytes()];

  client.MoveWindow(window, 103, 77);
  await viewer.until(() => viewer.tiles.slice(tiles).some(({ copies }) => copies.length > 0));
  await viewer.quiet(resting);

  const copies = viewer.tiles.slice(tiles).flatMap((each) => each.copies);
  assert.deepEqual(copies[0], { x: 40, y: 40, width: 300, height: 200, toX: 103, toY: 77 });
  assert.ok(viewer.bytes() - bytes < 60_000, `${viewer.bytes() - bytes} bytes for a window of 240 kB`);
  await viewer.untilSame(await display.pixels());
});

test('a display without shared memory is shown exactly too', { skip }, async () => {
  await using display = await startDisplay(width, height, ['-extension', 'MIT-SHM']);
  display.draw(whole, makePhoto(3, whole));
  await using viewer = await startViewer();
  await viewer.quiet(resting);
  display.move({ x: 0, y: 100, width, height: 200 }, 0, 60);

  await viewer.untilSame(await display.pixels());
});

test('a display that does not report monitors is one monitor', { skip }, async () => {
  await using display = await startDisplay(width, height, ['-extension', 'RANDR']);
  display.draw(whole, makeTextPicture(4, whole));
  await using viewer = await startViewer();
  await viewer.quiet(resting);

  assert.equal(viewer.layouts[0]?.monitors.length, 1);
  await viewer.untilSame(await display.pixels());
});

test('a display that does not report changes is refused with a sentence', { skip }, async () => {
  await using _display = await startDisplay(width, height, ['-extension', 'DAMAGE']);

  await using viewer = await startViewer();

  await viewer.untilRefused(/does not have the extension damage/);
});
