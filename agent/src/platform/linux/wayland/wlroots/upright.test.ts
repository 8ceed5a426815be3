/** Pixels of rotated and mirrored monitors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyUpright, orientationOf, uprightBox } from './upright.ts';

/** A picture of 3×2 pixels as delivered: 1 2 3 / 4 5 6. */
const delivered = { width: 3, height: 2, stride: 3, isInverted: false };

function upright(transform: number, isInverted = false): number[] {
  const words = Uint32Array.from([1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0]);
  const orientation = orientationOf({ ...delivered, transform, isInverted });
  const [width, height] = transform % 2 === 1 ? [2, 3] : [3, 2];
  const copy = { words, from: 0, to: 6, orientation, stride: width, isRedFirst: false };
  copyUpright(copy, { x: 0, y: 0, width, height });
  return [...words.subarray(6)];
}

test('a picture is turned as its monitor is', () => {
  assert.deepEqual(upright(0), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(upright(0, true), [4, 5, 6, 1, 2, 3]);
  assert.deepEqual(upright(1), [4, 1, 5, 2, 6, 3]);
  assert.deepEqual(upright(2), [6, 5, 4, 3, 2, 1]);
  assert.deepEqual(upright(3), [3, 6, 2, 5, 1, 4]);
  assert.deepEqual(upright(4), [3, 2, 1, 6, 5, 4]);
});

test('a changed box is turned with the picture', () => {
  const boxOf = (transform: number): object =>
    uprightBox({ x: 2, y: 0, width: 1, height: 2 }, orientationOf({ ...delivered, transform }), 3);

  assert.deepEqual(boxOf(0), { x: 2, y: 0, width: 1, height: 2 });
  assert.deepEqual(boxOf(1), { x: 0, y: 2, width: 2, height: 1 });
  assert.deepEqual(boxOf(2), { x: 0, y: 0, width: 1, height: 2 });
  assert.deepEqual(boxOf(3), { x: 0, y: 0, width: 2, height: 1 });
});
