/** A crowd at the door: a few handshakes at a time, addresses by turns, and nobody waits for ever. */
import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHandshakeScheduler, type WaitingSocket } from './handshake-scheduler.ts';

const from = (address: string): WaitingSocket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: address });

test('one who comes alone is begun with before a crowd that came earlier from elsewhere', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  const begun: string[] = [];
  for (let each = 0; each < 100; each++) scheduler.queue(from('10.0.0.1'), () => begun.push('crowd'));
  scheduler.queue(from('10.0.0.2'), () => begun.push('alone'));

  while (begun.length < 101) await nextTurn();

  assert.equal(begun.indexOf('alone'), 1);
});

test('all networks within an IPv6 /48 wait in one line', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  const begun: string[] = [];
  for (let each = 0; each < 100; each++)
    scheduler.queue(from(`2001:db8:0:${each + 1}::1`), () => begun.push('crowd'));
  scheduler.queue(from('2001:db8:1::1'), () => begun.push('alone'));

  while (begun.length < 101) await nextTurn();

  assert.equal(begun.indexOf('alone'), 1);
});

test('IPv4 addresses on a port for both kinds wait in a line each', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  const begun: string[] = [];
  for (let each = 0; each < 100; each++) scheduler.queue(from('::ffff:10.0.0.1'), () => begun.push('crowd'));
  scheduler.queue(from('::ffff:10.0.0.2'), () => begun.push('alone'));

  while (begun.length < 101) await nextTurn();

  assert.equal(begun.indexOf('alone'), 1);
});

test('a crowd does not get all it asks in one turn', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  const begun: number[] = [];
  for (let each = 0; each < 100; each++) scheduler.queue(from('10.0.0.1'), () => begun.push(each));
  let turns = 0;

  for (; begun.length < 100; turns++) await nextTurn();

  assert.ok(turns >= 100, `it took ${turns} turns`);
});

test('those who still come in are let in before the next handshake, but handshakes go on', async () => {
  const scheduler = createHandshakeScheduler(60_000);
  let begun = 0;
  for (let each = 0; each < 10; each++) scheduler.queue(from('10.0.0.1'), () => begun++);

  for (let turn = 0; turn < 45; turn++) {
    scheduler.accepted();
    await nextTurn();
  }

  assert.equal(begun, 5);
});

test('one that waited too long is hung up on, and one that left is passed over', async () => {
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
