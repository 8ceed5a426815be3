/** Which pictures of a device are decoded at all, according to their headers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  areTilesFit,
  isScreenFit,
  isShapeFit,
  isVideoFit,
} from '@drawbridge/web/console/screen/picture-limits';
import { largePng } from '../../../kit/display/large-png.ts';

const screen = { width: 640, height: 400 };
const tile = (width: number, height: number) => ({ image: largePng(width, height) });
const video = (width: number, height: number): Uint8Array =>
  Uint8Array.of(0x10, 0, 0, 0x9d, 1, 0x2a, width & 255, width >> 8, height & 255, height >> 8);

test('tiles fit on the screen, each and together', () => {
  assert.ok(areTilesFit([], screen));
  assert.ok(areTilesFit([tile(640, 400), tile(64, 64)], screen));
  assert.ok(!areTilesFit([tile(641, 1)], screen));
  assert.ok(!areTilesFit([tile(1, 401)], screen));
  assert.ok(!areTilesFit([tile(640, 400), tile(640, 400), tile(1, 1)], screen));
  assert.ok(!areTilesFit([{ image: Buffer.from('no picture') }], screen));
  assert.ok(!areTilesFit([tile(1, 1)], { width: 0, height: 0 }), 'before the first layout');
});

test('a whole video picture has about the size of the screen, whatever was declared', () => {
  assert.ok(isVideoFit({ data: video(640, 400) }, screen));
  assert.ok(isVideoFit({ data: video(656, 416) }, screen));
  assert.ok(!isVideoFit({ data: video(16_383, 16_383) }, screen));
  assert.ok(!isVideoFit({ data: video(640, 16_383) }, screen));
  assert.ok(isVideoFit({ data: Uint8Array.of(0x11, 0, 0) }, screen), 'builds on the one before');
  assert.ok(!isVideoFit({ data: Uint8Array.of(0x10, 0, 0) }, screen));
});

test('a video picture of half size has about half the size of the screen', () => {
  const half = true;
  assert.ok(isVideoFit({ data: video(320, 200), half }, screen));
  assert.ok(isVideoFit({ data: video(336, 216), half }, screen));
  assert.ok(!isVideoFit({ data: video(640, 400), half }, screen));
  assert.ok(!isVideoFit({ data: video(320, 400), half }, screen));
});

test('a screen has no more pixels than a browser can hold, and a pointer is small', () => {
  assert.ok(isScreenFit({ width: 8 * 3_840, height: 2_160 }));
  assert.ok(!isScreenFit({ width: 16_384, height: 16_384 }));
  assert.ok(isShapeFit(largePng(256, 256)));
  assert.ok(!isShapeFit(largePng(16_000, 16_000)));
  assert.ok(!isShapeFit(Buffer.from('no picture')));
});
