/** The places of the agent's windows on monitors of every size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxInCentre, boxInCorner } from './window-boxes.ts';

const size = { width: 360, height: 300 };

test('a window in the corner keeps its margin, and never leaves its monitor', () => {
  const right = { x: 1_920, y: 100, width: 1_280, height: 800 };
  const small = { x: 1_920, y: 0, width: 320, height: 240 };
  const tight = { x: 0, y: 0, width: 365, height: 305 };

  assert.deepEqual(boxInCorner(right, size, 10), { x: 2_830, y: 590, ...size });
  assert.deepEqual(boxInCorner(small, size, 10), small);
  assert.deepEqual(boxInCorner(tight, size, 10), { x: 0, y: 0, ...size });
});

test('a window in the centre shrinks to its monitor', () => {
  assert.deepEqual(boxInCentre({ x: 100, y: 0, width: 460, height: 500 }, size), { x: 150, y: 100, ...size });
  assert.deepEqual(boxInCentre({ x: 5, y: 6, width: 300, height: 200 }, size), {
    x: 5,
    y: 6,
    width: 300,
    height: 200,
  });
});
