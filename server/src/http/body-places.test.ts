/** Places for long bodies: limited in total and per network, and taken from those who do not read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBodyPlaces, type Body, type BodyLimits, type BodyPool, type Place } from './body-places.ts';

const limits: BodyLimits = {
  total: 4,
  perNetwork: 2,
  stalledMs: 60_000,
  replacedAfterMs: 5_000,
  checkEveryMs: 1,
};

function scene() {
  let now = 1_000;
  const cut: string[] = [];
  const places = createBodyPlaces(limits, () => now);
  const enter = (
    address: string,
    pool: BodyPool = 'downloads',
    given: Partial<Body> = {},
  ): Place | 'network' | 'total' =>
    places.enter({ pool, address, isCurrent: () => true, destroy: () => void cut.push(address), ...given });
  /** Of somebody who then takes nothing. */
  const stall = (address: string, given: Partial<Body> = {}): Place => {
    const place = enter(address, 'downloads', given);
    assert.ok(typeof place === 'object', String(place));
    place.waiting();
    return place;
  };
  const swept = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 20));
  return { enter, stall, cut, swept, advance: (ms: number) => void (now += ms) };
}

test('a network has its share of the places, all networks together have all of them, and each pool has its own', () => {
  const { enter, stall } = scene();
  const first = stall('10.0.0.1');
  stall('10.0.0.1');

  assert.equal(enter('10.0.0.1'), 'network');
  stall('10.0.0.2');
  stall('10.0.0.3');
  assert.equal(enter('10.0.0.4'), 'total');
  assert.equal(typeof enter('10.0.0.4', 'answers'), 'object');

  first.release();
  assert.equal(typeof enter('10.0.0.4'), 'object');
});

test('all addresses of one network of the newer kind share its places', () => {
  const { enter, stall } = scene();
  stall('2001:db8:0:1::1');
  stall('2001:db8:0:1::2');

  assert.equal(enter('2001:db8:0:1:ffff::3'), 'network');
  assert.equal(typeof enter('2001:db8:0:2::1'), 'object');
});

test('when the places are taken, the client that has read nothing for longest makes room', () => {
  const { enter, stall, cut, advance } = scene();
  const reading = stall('10.0.0.1');
  stall('10.0.0.2');
  advance(1_000);
  stall('10.0.0.3');
  stall('10.0.0.4');
  advance(4_000);
  reading.taken();
  reading.waiting();

  assert.equal(typeof enter('10.0.0.5'), 'object');
  assert.deepEqual(cut, ['10.0.0.2']);
  assert.equal(enter('10.0.0.6'), 'total', 'the others have not waited long enough');
});

test('a network that is at its limit makes room among its own', () => {
  const { enter, stall, cut, advance } = scene();
  stall('10.0.0.9');
  advance(1_000);
  stall('10.0.0.1');
  stall('10.0.0.1');
  advance(6_000);

  assert.equal(typeof enter('10.0.0.1'), 'object');
  assert.deepEqual(cut, ['10.0.0.1']);
});

test('who takes nothing for the whole time is cut off; who has nothing to take, or not yet, is not', async () => {
  const { enter, stall, cut, swept, advance } = scene();
  let isCurrent = false;
  stall('10.0.0.1');
  stall('10.0.0.2', { isCurrent: () => isCurrent });
  enter('10.0.0.3');
  advance(59_999);
  await swept();
  assert.deepEqual(cut, []);

  advance(1);
  await swept();
  assert.deepEqual(cut, ['10.0.0.1']);

  isCurrent = true;
  advance(59_999);
  await swept();
  assert.deepEqual(cut, ['10.0.0.1']);
  advance(1);
  await swept();
  assert.deepEqual(cut, ['10.0.0.1', '10.0.0.2']);
});
