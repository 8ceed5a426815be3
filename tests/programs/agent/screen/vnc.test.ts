/**
 * A screen that only a VNC server of the device shows, as under Wayland: seen as exactly as an X11 screen.
 */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { takeScreenshot } from '@drawbridge/agent/platform/linux/screenshot';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { skipWithout } from '../../../kit/requirements.ts';
import { makePhoto, makeTextPicture } from '../../../kit/display/pictures.ts';
import { readPng } from '../../../kit/display/png-reader.ts';
import { startViewer } from '../../../kit/session/viewer.ts';
import { startVncDisplay } from '../../../kit/display/vnc.ts';

const skip = skipWithout('Xtigervnc');
const [width, height] = [640, 480];
const whole = { x: 0, y: 0, width, height };
const resting = 500;

test('the operator sees it exactly, also after parts of it changed and moved', { skip }, async () => {
  await using display = await startVncDisplay(width, height);
  display.draw(whole, makePhoto(1, whole));
  await display.done();
  await using viewer = await startViewer();
  await viewer.quiet(resting);
  await viewer.untilSame(await display.pixels());

  display.draw({ x: 30, y: 40, width: 300, height: 200 }, makeTextPicture(2, { width: 300, height: 200 }));
  display.move({ x: 30, y: 40, width: 300, height: 200 }, 100, 90);
  display.paint({ x: 639, y: 479, width: 1, height: 1 }, 0xff8001);
  await display.done();

  await viewer.untilSame(await display.pixels());
});

test('a thumbnail of it is taken for the list of devices', { skip }, async () => {
  await using display = await startVncDisplay(width, height);
  display.paint(whole, 0x123456);
  display.paint({ x: 0, y: 0, width: 320, height: 480 }, 0xfedcba);
  await display.done();

  const { type, bytes } = await takeScreenshot(64);

  const small = readPng(bytes);
  assert.deepEqual([type, small.width, small.height], ['image/png', 64, 48]);
  assert.deepEqual([small.pixels[0]! & 0xffffff, small.pixels[63]! & 0xffffff], [0xfedcba, 0x123456]);
});

test(
  'the picture follows when the operator or the device changes the size of the screen',
  { skip },
  async () => {
    await using display = await startVncDisplay(width, height);
    await using viewer = await startViewer();
    await viewer.quiet(resting);
    assert.ok(viewer.layouts[0]!.sizes.some((size) => size.width === 800));

    await viewer.resize(800, 600);
    await viewer.until(() => viewer.layouts.at(-1)?.width === 800);
    display.draw({ x: 0, y: 0, width: 800, height: 600 }, makeTextPicture(3, { width: 800, height: 600 }));
    await display.done();
    await viewer.untilSame(await display.pixels());

    const other = await openDesktop();
    await other.resize(320, 240);
    other.close();
    await viewer.until(() => viewer.layouts.at(-1)?.width === 320);
    await viewer.untilSame(await display.pixels());
  },
);

test('the pointer is sent with its shape, and its position when an operator moves it', { skip }, async () => {
  await using display = await startVncDisplay(width, height);
  await using viewer = await startViewer();
  const desktop = await openDesktop();
  const input = await desktop.input();

  input.pointer(100, 50, 0);
  display.shapePointer(8, 0x2040c0);
  await viewer.until(() => viewer.cursors.at(-1)?.shape?.width === 8);
  const { x, y, shape } = viewer.cursors.at(-1)!;
  input.pointer(120, 60, 0);
  await viewer.until(() => viewer.cursors.at(-1)?.x === 120);

  assert.deepEqual([x, y], [100, 50]);
  assert.ok(readPng(shape!.png).pixels.every((pixel) => pixel === 0xff2040c0));
  assert.deepEqual(viewer.cursors.at(-1), { x: 120, y: 60 });
  input.close();
  desktop.close();
});

const withPassword = (folder: string, password: string, mode = 0o600): void => {
  const path = join(folder, 'password');
  writeFileSync(path, `${password}\n`);
  chmodSync(path, mode);
  process.env['DRAWBRIDGE_AGENT_VNC_PASSWORD_FILE'] = path;
};

test('the password of the server is required, and must be right', { skip }, async () => {
  await using display = await startVncDisplay(width, height, { password: 'Sésame 8' });

  await assert.rejects(openDesktop(), /requires a password\. .*DRAWBRIDGE_AGENT_VNC_PASSWORD_FILE/);
  withPassword(display.folder, 'sesame');
  await assert.rejects(openDesktop(), /rejected the password from DRAWBRIDGE_AGENT_VNC_PASSWORD_FILE/);
  withPassword(display.folder, 'Sésame 8 and more than counts', 0o640);
  await assert.rejects(openDesktop(), /accessed by other users/);
  writeFileSync(join(display.folder, 'password'), Buffer.from('Sésame 8\n', 'latin1'));
  chmodSync(join(display.folder, 'password'), 0o600);
  await using viewer = await startViewer();

  await viewer.untilSame(await display.pixels());
});

test('a server that listens at a socket path of the device is reached there', { skip }, async () => {
  await using display = await startVncDisplay(width, height, { socket: 'vnc' });
  display.draw(whole, makeTextPicture(4, whole));
  await display.done();

  await using viewer = await startViewer();

  await viewer.untilSame(await display.pixels());
});

test('a server that does not run is reported in a sentence', { skip }, async () => {
  await using _display = await startVncDisplay(width, height);
  process.env['DRAWBRIDGE_AGENT_VNC'] = '127.0.0.1:1';

  await assert.rejects(openDesktop(), (error) => {
    assert.ok(error instanceof NotPossible);
    assert.match(error.message, /The VNC server at 127\.0\.0\.1:1 cannot be reached: ECONNREFUSED/);
    return true;
  });
});
