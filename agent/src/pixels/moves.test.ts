/** Tests of finding moved content and differences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pixels } from '../platform/desktop.ts';
import { findDifferences } from './find-differences.ts';
import { createMoveSearch } from './move-search.ts';
import { findMoves } from './moves.ts';
import { copyRect, createFramebuffer, putPixels, type Framebuffer } from './framebuffer.ts';
import { findShift } from './shifts.ts';

const [width, height] = [320, 200];

/** A picture in which all rows differ. */
function filled(): Framebuffer {
  const framebuffer = createFramebuffer(width, height);
  framebuffer.words.forEach((_, at) => (framebuffer.words[at] = Math.imul(at, 2_654_435_761) >>> 8));
  return framebuffer;
}

const grabbed = (framebuffer: Framebuffer): Pixels => ({
  box: { x: 0, y: 0, width, height },
  words: framebuffer.words.slice(),
  offset: 0,
  stride: width,
});

test('content that moved up is found with its distance', () => {
  const [before, after] = [filled(), filled()];
  copyRect(after, { x: 0, y: 24, width, height: height - 24, toX: 0, toY: 0 });

  assert.deepEqual(findMoves(before, grabbed(after)), [
    { x: 0, y: 24, width, height: height - 24, toX: 0, toY: 0 },
  ]);
});

test('content that moved down is found without the unchanged content around it', () => {
  const [before, after] = [filled(), filled()];
  copyRect(after, { x: 64, y: 0, width: 128, height: 150, toX: 64, toY: 50 });

  assert.deepEqual(findMoves(before, grabbed(after)), [
    { x: 64, y: 0, width: 128, height: 150, toX: 64, toY: 50 },
  ]);
});

test('no move is found if nothing moved or everything is new', () => {
  const noise = filled();
  noise.words.forEach((_, at) => (noise.words[at] = Math.imul(at + 7, 1_103_515_245) >>> 9));

  assert.deepEqual(findMoves(filled(), grabbed(filled())), []);
  assert.deepEqual(findMoves(filled(), grabbed(noise)), []);
  assert.deepEqual(
    findMoves(createFramebuffer(width, height), grabbed(createFramebuffer(width, height))),
    [],
  );
});

test('differences are exact to the pixel, and distant ones are separate boxes', () => {
  const [before, after] = [filled(), filled()];
  for (const at of [5 * width + 7, 6 * width + 9, 6 * width + 300, 90 * width + 50]) after.words[at]! ^= 1;

  assert.deepEqual(findDifferences(before, grabbed(after)), [
    { x: 7, y: 5, width: 64, height: 2 },
    { x: 263, y: 5, width: 38, height: 2 },
    { x: 50, y: 90, width: 1, height: 1 },
  ]);
  assert.deepEqual(findDifferences(before, grabbed(before)), []);
});

test('everything outside the found differences is unchanged', () => {
  const [before, after] = [filled(), filled()];
  for (let at = 0; at < 400; at += 1) after.words[(at * 7_919) % (width * height)]! ^= 1;

  for (const box of findDifferences(before, grabbed(after)))
    putPixels(before, { box, words: after.words, offset: box.y * width + box.x, stride: width });

  assert.deepEqual(before.words, after.words);
});

test('a dragged window is found completely, in every direction', () => {
  const [before, after, other] = [filled(), filled(), filled()];
  other.words.reverse();
  const window = { ...grabbed(other), box: { x: 30, y: 20, width: 150, height: 90 } };
  putPixels(before, window);
  putPixels(after, { ...window, box: { ...window.box, x: 71, y: 53 } });

  assert.deepEqual(findShift(before, grabbed(after)), { ...window.box, toX: 71, toY: 53 });
});

test('no window is found if none moved', () => {
  assert.equal(findShift(filled(), grabbed(filled())), undefined);
  assert.equal(findShift(createFramebuffer(width, height), grabbed(filled())), undefined);
});

test('the search in all directions becomes rare while nothing moves, and returns afterwards', () => {
  const search = createMoveSearch();
  const [empty, full] = [createFramebuffer(width, height), filled()];
  for (let step = 0; step < 100; step += 1) assert.deepEqual(search.find(empty, grabbed(full)), []);
  const moved = createFramebuffer(width, height);
  putPixels(moved, { ...grabbed(full), box: { x: 50, y: 0, width: width - 50, height } });

  const tries = Array.from({ length: 31 }, () => search.find(full, grabbed(moved)).length);

  assert.ok(tries.includes(1));
});

test('scrolling is found at once after a few other changes, and soon after a film', () => {
  const [empty, before, after] = [createFramebuffer(width, height), filled(), filled()];
  copyRect(after, { x: 0, y: 24, width, height: height - 24, toX: 0, toY: 0 });
  const scrolledAfter = (others: number, tries: number): number[] => {
    const search = createMoveSearch();
    for (let step = 0; step < others; step += 1) search.find(empty, grabbed(before));
    return Array.from({ length: tries }, () => search.find(before, grabbed(after)).length);
  };

  assert.deepEqual(scrolledAfter(3, 1), [1]);
  assert.ok(scrolledAfter(100, 5).includes(1));
});

test('scrolling in a narrow part is found after a film, wherever it is', () => {
  const [empty, before] = [createFramebuffer(width, height), filled()];
  const tries = [0, 64, 128, 192].map((x) => {
    const after = filled();
    copyRect(after, { x, y: 24, width: 128, height: height - 24, toX: x, toY: 0 });
    const search = createMoveSearch();
    for (let step = 0; step < 100; step += 1) search.find(empty, grabbed(before));
    return Array.from({ length: 20 }, () => search.find(before, grabbed(after)).length);
  });

  assert.deepEqual(
    tries.map((counts) => counts.includes(1)),
    [true, true, true, true],
  );
});
