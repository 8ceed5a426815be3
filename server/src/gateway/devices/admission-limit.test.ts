/** Tests of the limit of admissions: it follows the store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionLimit, type AdmissionLimit } from './admission-limit.ts';

/** Admits devices until there is no room, and returns what frees their places. */
function fill(limit: AdmissionLimit): ReturnType<AdmissionLimit['begin']>[] {
  const places: ReturnType<AdmissionLimit['begin']>[] = [];
  while (limit.hasRoom()) places.push(limit.begin());
  return places;
}

test('while the store is quick, up to a thousand devices are admitted at once', () => {
  const limit = createAdmissionLimit(() => 0);
  const counts = [fill(limit).map((end) => end(true)).length];
  for (let round = 0; round < 3; round += 1) counts.push(fill(limit).map((end) => end(true)).length);

  assert.deepEqual(counts, [400, 800, 1_000, 1_000]);
});

/** A limit with a clock of its own, and a round of as many devices as there is room for, which takes so long. */
function openTrial() {
  let time = 0;
  const limit = createAdmissionLimit(() => time);
  return (ms: number, isAdmitted: boolean): number => {
    const places = fill(limit);
    time += ms;
    for (const end of places) end(isAdmitted);
    return places.length;
  };
}

test('while the store is slow, fewer are admitted, but never none, and more again afterwards', () => {
  const round = openTrial();
  const counts = Array.from({ length: 20 }, () => round(30_000, true));

  assert.ok(counts[1]! < 20, String(counts));
  assert.equal(counts.at(-1), 16);
  assert.equal(round(100, true), 16);
  assert.equal(round(100, true), 32);
});

test('a store that fails, however quickly, is not trusted with more', () => {
  const round = openTrial();
  const counts = [4_000, 4_000, 30_000].map((ms) => round(ms, false));

  assert.deepEqual(counts, [400, 400, 400]);
  assert.ok(round(0, false) < 20);
});

test('the more devices come too early, the later they are asked to return', () => {
  const limit = createAdmissionLimit(() => 0);
  const places = fill(limit);
  const few = limit.retryAfterSeconds();
  for (const end of places) end(true);
  fill(limit);
  for (let count = 0; count < 10_000; count += 1) limit.hasRoom();

  assert.equal(few, 10);
  assert.equal(limit.retryAfterSeconds(), 60);
});
