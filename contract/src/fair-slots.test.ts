/** Places that are shared out: nobody keeps another from one by having many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairSlots, type SlotOwner } from './fair-slots.ts';

/** Somebody with one narrow name. */
const alone = (name: string): SlotOwner => ({ narrow: name, wide: name });

function open(limits: { all: number; each: number }) {
  const gone: string[] = [];
  const slots = createFairSlots<string>(limits, (thing) => void gone.push(thing));
  /** Takes places for `a1`, `a2`, … */
  const take = (owner: string, count: number): boolean[] =>
    Array.from({ length: count }, (_, at) => slots.acquire(`${owner}${at + 1}`, alone(owner)));
  return { slots, gone, take };
}

test('everybody gets a share and no more', () => {
  const { slots, gone, take } = open({ all: 10, each: 3 });

  assert.deepEqual(take('a', 4), [true, true, true, false]);
  assert.deepEqual(take('b', 1), [true]);
  assert.deepEqual([slots.size(), gone], [4, []]);
});

test('when all are taken, who has most gives up the last for who has fewer', () => {
  const { slots, gone, take } = open({ all: 5, each: 4 });
  take('a', 3);
  take('b', 2);

  assert.deepEqual(take('c', 1), [true]);

  assert.deepEqual([slots.size(), gone], [5, ['a3']]);
});

test('room is made until all have as much, and then nobody is sent away for another', () => {
  const { slots, gone, take } = open({ all: 6, each: 6 });
  take('a', 6);

  assert.deepEqual(take('b', 4), [true, true, true, false]);
  assert.deepEqual(take('c', 3), [true, true, false]);
  assert.equal(slots.hasRoomFor(alone('a')), false);
  assert.equal(slots.acquire('a7', alone('a')), false);
  assert.deepEqual([slots.size(), gone.length], [6, 5]);
  assert.equal(slots.hasRoomFor(alone('d')), true);
});

test('what is freed, or was sent away, has no place any more, however often it is freed', () => {
  const { slots, gone, take } = open({ all: 3, each: 3 });
  take('a', 3);
  take('b', 1);
  for (const thing of [...gone, 'a1', 'a1', 'never there']) slots.release(thing);

  assert.equal(slots.size(), 2);
  assert.deepEqual(take('c', 1), [true]);
  assert.deepEqual(gone, ['a3']);
});

test('what nobody owns counts among all, is never sent away, and room is made for it', () => {
  const { slots, gone, take } = open({ all: 3, each: 1 });
  for (const thing of ['x', 'y']) assert.equal(slots.acquire(thing, undefined), true);
  assert.deepEqual(take('a', 1), [true]);

  assert.equal(slots.acquire('z', undefined), false);
  assert.equal(slots.acquire('b1', alone('b')), false);
  slots.release('x');
  assert.equal(slots.acquire('z', undefined), true);
  assert.deepEqual(gone, []);
});

test('a thousand owners who come and go leave nothing behind', () => {
  const { slots, gone } = open({ all: 50, each: 10 });
  for (let round = 0; round < 5_000; round += 1) {
    slots.acquire(`${round}`, alone(`owner ${(round * 7) % 13}`));
    if (round % 3 === 0) slots.release(`${round - 40}`);
    assert.ok(slots.size() <= 50);
  }
  for (let round = 0; round < 5_000; round += 1) slots.release(`${round}`);

  assert.equal(slots.size(), 0);
  assert.equal(slots.acquire('again', alone('owner 1')), true);
  assert.ok(gone.length < 5_000);
});

test('a thousand narrow owners within a wide one shut nobody out, and nobody with twenty gives way to them', () => {
  const { slots, gone, take } = open({ all: 1_000, each: 64 });
  take('office', 20);
  const flood = Array.from({ length: 1_000 }, (_, at) =>
    slots.acquire(`flood${at}`, { narrow: `/64 ${at}`, wide: '/48' }),
  );

  assert.equal(flood.filter(Boolean).length, 980);
  assert.equal(slots.hasRoomFor({ narrow: '/64 new', wide: '/48' }), false);
  assert.deepEqual(take('newcomer', 2), [true, true]);
  assert.deepEqual(gone, ['flood979', 'flood978']);
});

test('a narrow owner has its own limit within a wide one', () => {
  const { slots } = open({ all: 10, each: 2 });
  const take = (narrow: string): boolean => slots.acquire(`${slots.size()}`, { narrow, wide: '/48' });

  assert.deepEqual(['a', 'a', 'a', 'b', 'b', 'b'].map(take), [true, true, false, true, true, false]);
  slots.release('0');
  assert.equal(take('a'), true);
});
