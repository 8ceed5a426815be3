/** The places of monitors in the picture, and the way back from the picture to the compositor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionIn } from './input.ts';
import { placeOutputs, type WaylandOutput } from '../compositor/outputs.ts';

const output = (
  name: string,
  size: WaylandOutput['size'],
  logical: WaylandOutput['logical'],
): WaylandOutput => ({
  object: 0,
  name,
  transform: 0,
  size,
  logical,
});

const sharp = output('sharp', { width: 3_840, height: 2_160 }, { x: 0, y: 0, width: 1_920, height: 1_080 });
const plain = output(
  'plain',
  { width: 1_280, height: 1_024 },
  { x: 1_920, y: 100, width: 1_280, height: 1_024 },
);

test('monitors with different scales keep their pixels and do not cover each other', () => {
  const placed = placeOutputs([plain, sharp]);

  assert.deepEqual(
    placed.map(({ name, box }) => ({ name, ...box })),
    [
      { name: 'sharp', x: 0, y: 0, width: 3_840, height: 2_160 },
      { name: 'plain', x: 3_840, y: 200, width: 1_280, height: 1_024 },
    ],
  );
});

test('a position in the picture leads to the same place on its monitor', () => {
  const placed = placeOutputs([sharp, plain]);
  const area = { width: 3_200 * 256, height: 1_124 * 256 };

  assert.deepEqual(positionIn(placed, 1_000, 500), { x: 500 * 256, y: 250 * 256, ...area });
  assert.deepEqual(positionIn(placed, 3_850, 220), { x: 1_930 * 256, y: 120 * 256, ...area });
});
