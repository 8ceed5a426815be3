/** Slots for long bodies: limited in total and per network, and taken from clients that do not read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createBodyLimiter,
  bodyLimitsFor,
  type BodyLimits,
  type BodyPool,
  type BodySlot,
} from './body-limiter.ts';

const limits: BodyLimits = {
  total: 4,
  perNetwork: 2,
  stalledMs: 60_000,
  replacedAfterMs: 5_000,
  checkEveryMs: 2_000,
};

function createLimiterFixture(given: Partial<BodyLimits> = {}) {
  let now = 1_000;
  const cut: string[] = [];
  const limiter = createBodyLimiter({ ...limits, ...given }, () => now);
  const enter = (
    address: string,
    pool: BodyPool = 'downloads',
    name = address,
  ): BodySlot | 'network' | 'total' => limiter.acquire({ pool, address, destroy: () => void cut.push(name) });
  /** The client then reads nothing. */
  const stall = (address: string, name = address): BodySlot => {
    const slot = enter(address, 'downloads', name);
    assert.ok(typeof slot === 'object', String(slot));
    slot.chunkSent();
    return slot;
  };
  return { enter, stall, cut, advance: (ms: number) => void (now += ms) };
}

test('slots are limited per network and in total, and each pool has its own', () => {
  const { enter, stall, cut } = createLimiterFixture();
  const first = stall('10.0.0.1');
  stall('10.0.0.1');

  assert.equal(enter('10.0.0.1'), 'network');
  first.release();
  stall('10.0.0.2');
  stall('10.0.0.3');
  const last = stall('10.0.0.4');
  assert.equal(enter('10.0.0.5'), 'total');
  assert.equal(typeof enter('10.0.0.5', 'answers'), 'object');
  assert.deepEqual(cut, []);

  last.release();
  assert.equal(typeof enter('10.0.0.5'), 'object');
});

test('all addresses of one IPv6 network share its slots', () => {
  const { enter, stall } = createLimiterFixture();
  stall('2001:db8:0:1::1');
  stall('2001:db8:0:1::2');

  assert.equal(enter('2001:db8:0:1:ffff::3'), 'network');
  assert.equal(typeof enter('2001:db8:0:2::1'), 'object');
});

test('when no slot is free, the client that has read nothing for longest is cut off', () => {
  const { enter, stall, cut, advance } = createLimiterFixture();
  const reading = stall('10.0.0.1');
  stall('10.0.0.2');
  advance(1_000);
  stall('10.0.0.3');
  stall('10.0.0.4');
  advance(4_000);
  reading.chunkTaken();
  reading.chunkSent();

  assert.equal(typeof enter('10.0.0.5'), 'object');
  assert.deepEqual(cut, ['10.0.0.2']);
  assert.equal(enter('10.0.0.6'), 'total', 'the others have not waited long enough');
});

test('a network at its limit loses its own stalled client to the next one', () => {
  const { enter, stall, cut, advance } = createLimiterFixture();
  stall('10.0.0.9');
  advance(1_000);
  stall('10.0.0.1');
  stall('10.0.0.1');
  advance(6_000);

  assert.equal(typeof enter('10.0.0.1'), 'object');
  assert.deepEqual(cut, ['10.0.0.1']);
});

test('when no slot is free, the network with most slots loses its newest to a network with fewer, even if that client reads', () => {
  const { enter, stall, cut } = createLimiterFixture({ total: 6, perNetwork: 3 });
  for (const name of ['a1', 'a2', 'a3']) stall('10.0.0.1', name);
  for (const name of ['b1', 'b2']) stall('10.0.0.2', name);
  stall('10.0.0.3', 'c1');

  assert.equal(typeof enter('10.0.0.4', 'downloads', 'd1'), 'object');
  assert.deepEqual(cut, ['a3']);
  assert.equal(enter('10.0.0.1'), 'total', 'it takes nothing from those who have as few');
  assert.equal(enter('10.0.0.3'), 'total', 'with one more it would have as many as those with most');
  assert.deepEqual(cut, ['a3']);
});

test('all networks of one IPv6 subscriber count as one when no slot is free', () => {
  const { enter, stall, cut } = createLimiterFixture();
  for (const name of ['a1', 'a2', 'a3', 'a4']) stall(`2001:db8:1:${name}::1`, name);

  assert.equal(typeof enter('2001:db8:2:1::1'), 'object');
  assert.deepEqual(cut, ['a4']);
  assert.equal(enter('2001:db8:1:a5::1'), 'total');
});

test('a network with many slots does not take those of stalled clients in networks with fewer', () => {
  const { enter, stall, cut, advance } = createLimiterFixture({ total: 4, perNetwork: 4 });
  stall('10.0.0.2');
  advance(6_000);
  for (let each = 0; each < 3; each++) stall('10.0.0.1');

  assert.equal(enter('10.0.0.1'), 'total');
  assert.deepEqual(cut, []);
});

test('streams have no limit here and are cut off only when they are not read', ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] });
  const { enter, cut, advance } = createLimiterFixture();
  const slots = Array.from({ length: 9 }, () => enter('10.0.0.1', 'streams'));
  assert.ok(slots.every((slot) => typeof slot === 'object'));
  (slots[0] as BodySlot).chunkSent();

  advance(60_000);
  mock.timers.tick(limits.checkEveryMs);

  assert.deepEqual(cut, ['10.0.0.1']);
});

test('one address has at most a quarter of the slots, however many connections it may open', () => {
  for (const [connections, most] of [
    [1_600, 200],
    [2_500, 256],
    [1_000_000, 256],
  ] as const) {
    const limiter = createBodyLimiter(bodyLimitsFor(connections));
    const body = { pool: 'downloads', address: '10.0.0.1', destroy: () => {} } as const;
    for (let each = 0; each < most; each++) assert.equal(typeof limiter.acquire(body), 'object');

    assert.equal(limiter.acquire(body), 'network');
    assert.equal(typeof limiter.acquire({ ...body, address: '10.0.0.2' }), 'object');
  }
});

test('a client that reads nothing until the timeout is cut off, and one that has nothing to read is not', ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setInterval'] });
  const { enter, stall, cut, advance } = createLimiterFixture();
  stall('10.0.0.1');
  enter('10.0.0.3');
  advance(59_999);
  mock.timers.tick(limits.checkEveryMs);
  assert.deepEqual(cut, []);

  advance(1);
  mock.timers.tick(limits.checkEveryMs);
  assert.deepEqual(cut, ['10.0.0.1']);
});
