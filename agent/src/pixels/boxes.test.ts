/** Tests of merging and splitting boxes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundingBox, splitBox, mergeBoxes, intersect, totalArea } from './boxes.ts';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

test('overlapping boxes are merged, and distant boxes stay separate', () => {
  const merged = mergeBoxes([box(0, 0, 10, 10), box(5, 5, 10, 10), box(500, 500, 4, 4)]);

  assert.deepEqual(
    merged.toSorted((a, b) => a.x - b.x),
    [box(0, 0, 15, 15), box(500, 500, 4, 4)],
  );
});

test('adjacent boxes are merged, because that adds no area', () => {
  assert.deepEqual(mergeBoxes([box(0, 0, 8, 16), box(8, 0, 8, 16)]), [box(0, 0, 16, 16)]);
});

test('merged boxes never overlap and cover all given boxes', () => {
  const given = Array.from({ length: 60 }, (_, at) => box((at * 37) % 300, (at * 53) % 200, 30, 20));

  const merged = mergeBoxes(given);

  assert.ok(
    given.every((each) => merged.some((one) => totalArea([intersect(each, one) ?? box(0, 0, 0, 0)]) === 600)),
  );
  merged.forEach((a, at) => merged.slice(at + 1).forEach((b) => assert.equal(intersect(a, b), undefined)));
});

test('very many boxes become their bounding box', () => {
  const given = Array.from({ length: 100 }, (_, at) => box(at * 10, 0, 1, 1));

  assert.deepEqual(mergeBoxes(given), [boundingBox(given)]);
});

test('a box is split into pieces that cover it and are no larger than requested', () => {
  const pieces = splitBox(box(3, 5, 100, 70), 1_000);

  assert.ok(pieces.every((piece) => totalArea([piece]) <= 1_000));
  assert.equal(totalArea(pieces), 7_000);
  assert.deepEqual(boundingBox(pieces), box(3, 5, 100, 70));
  assert.ok(splitBox(box(0, 0, 5_000, 1), 1_000).every(({ width }) => width <= 1_000));
});
