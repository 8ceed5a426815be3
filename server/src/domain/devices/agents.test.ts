/** Which devices are online, and which can wake another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOnline, macsOf, wakersOf, type Waker } from './agents.ts';

const waker = (id: number, publicIp: string, ...addresses: string[]): Waker => ({ id, publicIp, addresses });
const ids = (sleeper: Waker, online: Waker[]): number[] => wakersOf(sleeper, online).map((each) => each.id);

test('a device is online until the second its lease ends', () => {
  assert.equal(isOnline({ leaseUntil: 100 }, 99), true);
  assert.equal(isOnline({ leaseUntil: 100 }, 100), false);
  assert.equal(isOnline({ leaseUntil: 0 }, 100), false);
});

test('a device is woken by devices with the same public address or in the same subnet', () => {
  const sleeper = waker(1, '192.0.2.1', '10.1.2.3', 'fd00::1');

  assert.deepEqual(
    ids(sleeper, [waker(2, '192.0.2.1'), waker(3, '', '10.1.2.200'), waker(4, '192.0.2.2', '10.1.3.3')]),
    [2, 3],
  );
});

test('devices without an address share no network', () => {
  assert.deepEqual(ids(waker(1, '', ''), [waker(2, '', ''), waker(3, '', '10.1.2.3')]), []);
  assert.deepEqual(ids(waker(1, ''), [waker(2, '')]), []);
  assert.deepEqual(ids(waker(1, '', 'fd00::1'), [waker(2, '', 'fe80::1', '')]), []);
});

test('at most three devices send the packet, and never the sleeping one', () => {
  const near = [1, 2, 3, 4, 5].map((id) => waker(id, '192.0.2.1'));

  assert.deepEqual(ids(waker(2, '192.0.2.1'), near), [1, 3, 4]);
});

test('magic packets name every adapter once, in one spelling, and none without a real address', () => {
  const adapters = [
    '02-00-00-00-00-0A',
    '02:00:00:00:00:0a',
    '00:00:00:00:00:00',
    '',
    '02:00',
    '02:00:00:00:00:0b:0c',
    'xx:00:00:00:00:01',
    '02:00:00:00:00:01',
  ];
  const NetAdapters = adapters.map((MACAddress) => ({ MACAddress }));

  assert.deepEqual(macsOf({ NetAdapters }), ['02:00:00:00:00:0a', '02:00:00:00:00:01']);
  assert.deepEqual(macsOf({}), []);
  assert.deepEqual(macsOf({ NetAdapters: [] }), []);
});
