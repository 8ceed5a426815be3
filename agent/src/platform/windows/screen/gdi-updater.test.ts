/** Tests of copies with GDI: what changed is found exactly, and a still screen is copied in parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WindowsApi } from '../api/windows-api.ts';
import { openGdiUpdater } from './gdi-updater.ts';
import { mode } from './outputs.ts';

const [width, height] = [100, 640];
const [strips, idleAfter] = [10, 40];

/** A Windows with one monitor. */
function createScreen() {
  const screen = Buffer.alloc(width * height * 4);
  const bitmap = Buffer.alloc(screen.length);
  const system = { strips: 0, input: 1 };
  const copy = (top: number, rows: number): number => {
    system.strips += 1;
    screen.copy(bitmap, top * width * 4, top * width * 4, (top + rows) * width * 4);
    return 1;
  };
  const api = {
    EnumDisplayDevicesW(_parent: null, index: number, place: Buffer) {
      place.writeUInt32LE(1, 324);
      return index === 0 ? 1 : 0;
    },
    EnumDisplaySettingsExW(_device: string, _index: number, place: Buffer) {
      place.writeUInt32LE(width, mode.width);
      place.writeUInt32LE(height, mode.height);
      return 1;
    },
    GetDC: () => 1,
    ReleaseDC: () => 1,
    CreateCompatibleDC: () => 2,
    DeleteDC: () => 1,
    CreateDIBSection: () => 3,
    SelectObject: () => 4,
    DeleteObject: () => 1,
    memory: () => bitmap,
    BitBlt: { async: async (...[, , top, , rows]: number[]) => copy(top!, rows!) },
    GetLastInputInfo(place: Buffer) {
      place.writeUInt32LE(system.input, 4);
      return 1;
    },
  } as unknown as WindowsApi;
  const words = new Uint32Array(width * height);
  const picture = { width, height, words, bytes: Buffer.from(words.buffer) };
  const paint = (x: number, y: number): void => void screen.writeUInt32LE(0xff_ffff, (y * width + x) * 4);
  return { updater: openGdiUpdater(api, picture), system, picture, paint };
}

/** Updates until the screen is idle. */
async function rest(updater: ReturnType<typeof createScreen>['updater']): Promise<void> {
  for (let count = 0; count < idleAfter + 1; count += 1) await updater.update(false);
}

test('the boxes are as small as the change, and neighbouring strips share one', async () => {
  const { updater, picture, paint } = createScreen();
  paint(10, 20);
  paint(12, 21);
  paint(5, 300);
  paint(50, 330);

  assert.deepEqual(await updater.update(false), [
    { x: 10, y: 20, width: 3, height: 2 },
    { x: 5, y: 300, width: 46, height: 31 },
  ]);
  assert.deepEqual([picture.words[20 * width + 10], picture.words[330 * width + 50]], [0xff_ffff, 0xff_ffff]);
  assert.deepEqual(await updater.update(false), []);
});

test('an idle screen is copied in four turns, which find every change', async () => {
  const { updater, system, paint } = createScreen();
  await rest(updater);
  assert.equal(updater.pauseMs(), 100);
  system.strips = 0;
  for (let turn = 0; turn < 4; turn += 1) await updater.update(false);
  assert.equal(system.strips, strips);

  for (let y = 0; y < height; y += 64) {
    await rest(updater);
    paint(1, y);
    const found = [];
    for (let turn = 0; turn < 4; turn += 1) found.push(...(await updater.update(false)));
    assert.deepEqual(found, [{ x: 1, y, width: 1, height: 1 }]);
  }
  assert.equal(updater.pauseMs(), 25);
});

test('after input, and when it is urgent, all of an idle screen is copied', async () => {
  const { updater, system } = createScreen();
  await rest(updater);
  system.strips = 0;
  await updater.update(true);
  assert.equal(system.strips, strips);

  system.input += 1;
  await updater.update(false);
  assert.deepEqual([system.strips, updater.pauseMs()], [2 * strips, 25]);
});
