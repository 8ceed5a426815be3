/** What a client may send before its ticket: a few requests that measure the round trip, and no more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { maxEchoes } from '@drawbridge/contract/session/round-trips';
import { eventually } from '../../kit/eventually.ts';
import { startRelay } from './fixture.ts';

test('a client measures its round trip a few times before its ticket', async () => {
  await using relay = await startRelay();
  const peer = await relay.dial();

  for (let count = 0; count < maxEchoes; count += 1) peer.socket.send('ping');
  await eventually(
    () => peer.texts,
    ({ length }) => length === maxEchoes,
  );
  peer.socket.send(relay.ticket({}));

  assert.deepEqual(new Set(peer.texts), new Set(['pong']));
  await eventually(
    () => relay.relay.stats().waiting,
    (waiting) => waiting === 1,
  );
});

test('a client that measures too often is refused', async () => {
  await using relay = await startRelay();
  const peer = await relay.dial();

  for (let count = 0; count <= maxEchoes; count += 1) peer.socket.send('ping');

  assert.equal((await peer.closed).code, relayCloseCodes.refused.code);
});

test('nothing else is answered before a ticket', async () => {
  await using relay = await startRelay();
  const peer = await relay.dial();

  peer.socket.send('pung');

  assert.equal((await peer.closed).code, relayCloseCodes.refused.code);
  assert.deepEqual(peer.texts, []);
});
