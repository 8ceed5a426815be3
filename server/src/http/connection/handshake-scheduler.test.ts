/** Many new connections: handshakes start one at a time, networks take turns, and no handshake waits forever. */
import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHandshakeScheduler, type WaitingSocket } from './handshake-scheduler.ts';

const from = (address: string): WaitingSocket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: address });

test('a single connection goes before the rest of many that came earlier from another network', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  const begun: string[] = [];
  for (let each = 0; each < 100; each++) scheduler.queue(from('10.0.0.1'), () => begun.push('crowd'));
  scheduler.queue(from('10.0.0.2'), () => begun.push('alone'));

  while (begun.length < 101) await nextTurn();

  assert.equal(begun.indexOf('alone'), 1);
});

test('all networks within an IPv6 /48 share one queue', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  const begun: string[] = [];
  for (let each = 0; each < 100; each++)
    scheduler.queue(from(`2001:db8:0:${each + 1}::1`), () => begun.push('crowd'));
  scheduler.queue(from('2001:db8:1::1'), () => begun.push('alone'));

  while (begun.length < 101) await nextTurn();

  assert.equal(begun.indexOf('alone'), 1);
});

test('on a dual-stack port each IPv4 address has its own queue', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  const begun: string[] = [];
  for (let each = 0; each < 100; each++) scheduler.queue(from('::ffff:10.0.0.1'), () => begun.push('crowd'));
  scheduler.queue(from('::ffff:10.0.0.2'), () => begun.push('alone'));

  while (begun.length < 101) await nextTurn();

  assert.equal(begun.indexOf('alone'), 1);
});

test('many handshakes do not all start in one turn of the event loop', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  const begun: number[] = [];
  for (let each = 0; each < 100; each++) scheduler.queue(from('10.0.0.1'), () => begun.push(each));
  let turns = 0;

  for (; begun.length < 100; turns++) await nextTurn();

  assert.ok(turns >= 100, `it took ${turns} turns`);
});

test('arriving connections are accepted before the next handshake, but handshakes continue', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  let begun = 0;
  for (let each = 0; each < 10; each++) scheduler.queue(from('10.0.0.1'), () => begun++);

  for (let turn = 0; turn < 45; turn++) {
    scheduler.accepted();
    await nextTurn();
  }

  assert.equal(begun, 5);
});

test('a connection that waited too long is destroyed, and one that was closed is skipped', async () => {
  const scheduler = createHandshakeScheduler(-1);
  const late = from('10.0.0.1');
  scheduler.queue(late, () => assert.fail('begun with one that is too late'));
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  assert.equal(late.destroyed, true);

  const patient = createHandshakeScheduler(60_000);
  const [gone, here] = [from('10.0.0.1'), Promise.withResolvers<void>()];
  patient.queue(gone, () => assert.fail('begun with one that is gone'));
  patient.queue(from('10.0.0.1'), here.resolve);
  gone.destroy();

  await here.promise;
});
