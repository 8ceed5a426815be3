/** Pictures of half size, pixel by pixel. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFramebuffer } from './framebuffer.ts';
import { halfBox, loadHalfScaler, scaleInScript } from './half-size.ts';

test('each pixel of half size is the mean of four, and only the box is written', () => {
  const [framebuffer, half] = [createFramebuffer(8, 4), createFramebuffer(4, 2)];
  framebuffer.words.set([0xff0000, 0xff0000, 0x000000, 0x000040], 2);
  framebuffer.words.set([0xff0000, 0xff0000, 0x00ff00, 0x00ff40], 8 + 2);

  scaleInScript(framebuffer, half, { x: 1, y: 0, width: 2, height: 1 });

  assert.deepEqual([...half.words.subarray(0, 8)], [0, 0xff0000, 0x007f20, 0, 0, 0, 0, 0]);
});

test('the library scales as the script does, but for rounding', async () => {
  const framebuffer = createFramebuffer(64, 32);
  framebuffer.words.forEach((_, at) => (framebuffer.words[at] = Math.imul(at, 2_654_435_761) >>> 8));
  const [script, library] = [createFramebuffer(32, 16), createFramebuffer(32, 16)];
  const box = { x: 4, y: 2, width: 24, height: 12 };

  scaleInScript(framebuffer, script, box);
  (await loadHalfScaler())(framebuffer, library, box);

  const differences = [...script.bytes].map((byte, at) => Math.abs(byte - library.bytes[at]!));
  assert.ok(Math.max(...differences) <= 2, `${Math.max(...differences)}`);
});

test('a box becomes the blocks of half size that it touches, within the picture', () => {
  const half = { width: 960, height: 540 };

  assert.deepEqual(halfBox({ x: 33, y: 31, width: 1, height: 2 }, half), {
    x: 16,
    y: 0,
    width: 16,
    height: 32,
  });
  assert.deepEqual(halfBox({ x: 0, y: 0, width: 1_920, height: 1_080 }, half), { x: 0, y: 0, ...half });
});
