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

/** A sequence parameter set as libx264 writes it for these pictures, 1920 × 1088 with 1080 rows shown. */
const parameterSet = '000000016742c028da01e0089f966a021a0c80000003008000001e478c1950';

test('H.264 declares about the size of the screen, in every frame that declares one', () => {
  const h264 = true;
  const [data, shown] = [Buffer.from(parameterSet, 'hex'), { width: 1_920, height: 1_080 }];
  assert.ok(isVideoFit({ data, h264 }, shown));
  assert.ok(!isVideoFit({ data, h264 }, { width: 1_280, height: 1_080 }));
  assert.ok(!isVideoFit({ data, h264 }, { width: 1_920, height: 720 }));
  assert.ok(!isVideoFit({ data, h264, half: true }, shown));
  assert.ok(isVideoFit({ data, h264, half: true }, { width: 3_840, height: 2_160 }));
  assert.ok(isVideoFit({ data: Buffer.from('0000000141e0', 'hex'), h264 }, screen), 'declares none');
  assert.ok(
    !isVideoFit({ data: Buffer.from(`0000000141e0${parameterSet}`, 'hex'), h264 }, screen),
    'a later one',
  );
});

test('H.264 with a parameter set that no device sends is not decoded', () => {
  const altered = (at: number, value: number): boolean => {
    const data = Buffer.from(parameterSet, 'hex');
    data[at] = value;
    return isVideoFit({ data, h264: true }, { width: 1_920, height: 1_080 });
  };
  assert.ok(altered(7, 0x33), 'another level');
  assert.ok(!altered(5, 100), 'another profile');
  assert.ok(!altered(4, 0x6f), 'an extension');
  const cut = Buffer.from(parameterSet, 'hex').subarray(0, 9);
  assert.ok(!isVideoFit({ data: cut, h264: true }, { width: 1_920, height: 1_080 }));
});

test('a screen has no more pixels than a browser can hold, and a pointer is small', () => {
  assert.ok(isScreenFit({ width: 8 * 3_840, height: 2_160 }));
  assert.ok(!isScreenFit({ width: 16_384, height: 16_384 }));
  assert.ok(isShapeFit(largePng(256, 256)));
  assert.ok(!isShapeFit(largePng(16_000, 16_000)));
  assert.ok(!isShapeFit(Buffer.from('no picture')));
});
