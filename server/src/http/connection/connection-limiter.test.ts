/** The connection limits count an IPv4 address, or a whole IPv6 network, as one client. */
import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { createConnectionLimiter } from './connection-limiter.ts';

let ports = 0;
const from = (remoteAddress: string): Socket =>
  Object.defineProperties(new Socket(), {
    remoteAddress: { value: remoteAddress },
    remotePort: { value: (ports += 1) },
  });

test('an IPv6 network has one share, however many addresses it uses', () => {
  const limiter = createConnectionLimiter({ connections: 100, connectionsPerAddress: 2 });
  const admitted = (...addresses: string[]): boolean[] => addresses.map((each) => limiter.admit(from(each)));

  assert.deepEqual(admitted('2001:db8::1', '2001:db8::2', '2001:db8::3'), [true, true, false]);
  assert.deepEqual(admitted('2001:db8:0:1::1', '192.0.2.1', '192.0.2.2'), [true, true, true]);
});

test('the addresses of one IPv6 network do not take all slots', () => {
  const limiter = createConnectionLimiter({ connections: 4, connectionsPerAddress: 4 });
  const sockets = Array.from({ length: 4 }, (_, at) => from(`2001:db8::${at + 1}`));
  for (const socket of sockets) limiter.admit(socket);

  assert.equal(limiter.admit(from('2001:db8:7::1')), true);
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [false, false, false, true],
  );
});

test('a thousand networks within a /48 keep no new client out, and an office with twenty connections keeps them', () => {
  const limiter = createConnectionLimiter({ connections: 1_000, connectionsPerAddress: 100 });
  const office = Array.from({ length: 20 }, () => from('192.0.2.1'));
  const flood = Array.from({ length: 1_000 }, (_, at) => from(`2001:db8:7:${at.toString(16)}::1`));
  for (const socket of [...office, ...flood]) limiter.admit(socket);

  assert.deepEqual([limiter.admit(from('192.0.2.9')), limiter.admit(from('2001:db8:8::1'))], [true, true]);
  assert.equal(office.filter(({ destroyed }) => destroyed).length, 0);
  assert.equal(flood.filter(({ destroyed }) => destroyed).length, 22);
});
