/** Tests fair slots: an owner with many connections cannot lock out others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairSlots, type SlotOwner } from './fair-slots.ts';

/** An owner whose narrow and wide names are the same. */
const ownerOf = (name: string): SlotOwner => ({ narrow: name, wide: name });

function open(limits: { all: number; each: number }) {
  const evicted: string[] = [];
  const slots = createFairSlots<string>(limits, (thing) => void evicted.push(thing));
  /** Takes slots for `a1`, `a2`, … */
  const take = (owner: string, count: number): boolean[] =>
    Array.from({ length: count }, (_, at) => slots.acquire(`${owner}${at + 1}`, ownerOf(owner)));
  return { slots, evicted, take };
}

test('each owner gets at most its share', () => {
  const { slots, evicted, take } = open({ all: 10, each: 3 });

  assert.deepEqual(take('a', 4), [true, true, true, false]);
  assert.deepEqual(take('b', 1), [true]);
  assert.deepEqual([slots.size(), evicted], [4, []]);
});

test('when all slots are taken, the largest owner loses its newest one to a smaller owner', () => {
  const { slots, evicted, take } = open({ all: 5, each: 4 });
  take('a', 3);
  take('b', 2);

  assert.deepEqual(take('c', 1), [true]);

  assert.deepEqual([slots.size(), evicted], [5, ['a3']]);
});

test('owners are evicted until all hold equally many, and no further', () => {
  const { slots, evicted, take } = open({ all: 6, each: 6 });
  take('a', 6);

  assert.deepEqual(take('b', 4), [true, true, true, false]);
  assert.deepEqual(take('c', 3), [true, true, false]);
  assert.equal(slots.hasRoomFor(ownerOf('a')), false);
  assert.equal(slots.acquire('a7', ownerOf('a')), false);
  assert.deepEqual([slots.size(), evicted.length], [6, 5]);
  assert.equal(slots.hasRoomFor(ownerOf('d')), true);
});

test('a released or evicted thing has no slot, and releasing it again changes nothing', () => {
  const { slots, evicted, take } = open({ all: 3, each: 3 });
  take('a', 3);
  take('b', 1);
  for (const thing of [...evicted, 'a1', 'a1', 'never there']) slots.release(thing);

  assert.equal(slots.size(), 2);
  assert.deepEqual(take('c', 1), [true]);
  assert.deepEqual(evicted, ['a3']);
});

test('a thing without an owner counts towards the total and is never evicted', () => {
  const { slots, evicted, take } = open({ all: 3, each: 1 });
  for (const thing of ['x', 'y']) assert.equal(slots.acquire(thing, undefined), true);
  assert.deepEqual(take('a', 1), [true]);

  assert.equal(slots.acquire('z', undefined), false);
  assert.equal(slots.acquire('b1', ownerOf('b')), false);
  slots.release('x');
  assert.equal(slots.acquire('z', undefined), true);
  assert.deepEqual(evicted, []);
});

test('owners that come and go leave no state behind', () => {
  const { slots, evicted } = open({ all: 50, each: 10 });
  for (let round = 0; round < 5_000; round += 1) {
    slots.acquire(`${round}`, ownerOf(`owner ${(round * 7) % 13}`));
    if (round % 3 === 0) slots.release(`${round - 40}`);
    assert.ok(slots.size() <= 50);
  }
  for (let round = 0; round < 5_000; round += 1) slots.release(`${round}`);

  assert.equal(slots.size(), 0);
  assert.equal(slots.acquire('again', ownerOf('owner 1')), true);
  assert.ok(evicted.length < 5_000);
});

test('a thousand narrow owners within a wide one lock out nobody and evict no smaller owner', () => {
  const { slots, evicted, take } = open({ all: 1_000, each: 64 });
  take('office', 20);
  const flood = Array.from({ length: 1_000 }, (_, at) =>
    slots.acquire(`flood${at}`, { narrow: `/64 ${at}`, wide: '/48' }),
  );

  assert.equal(flood.filter(Boolean).length, 980);
  assert.equal(slots.hasRoomFor({ narrow: '/64 new', wide: '/48' }), false);
  assert.deepEqual(take('newcomer', 2), [true, true]);
  assert.deepEqual(evicted, ['flood979', 'flood978']);
});

test('each narrow owner within a wide one has its own limit', () => {
  const { slots } = open({ all: 10, each: 2 });
  const take = (narrow: string): boolean => slots.acquire(`${slots.size()}`, { narrow, wide: '/48' });

  assert.deepEqual(['a', 'a', 'a', 'b', 'b', 'b'].map(take), [true, true, false, true, true, false]);
  slots.release('0');
  assert.equal(take('a'), true);
});
