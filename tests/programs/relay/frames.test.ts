/**
 * What passes through the relay: by the table of kinds, each side's direction, and the permissions of its
 * ticket.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import {
  frameKinds,
  maxFrameBytes,
  sessionPermissions,
  type FrameKind,
  type Side,
} from '@drawbridge/contract/session/frame-kinds';
import { permissionIds, roleTypes } from '@drawbridge/contract/permissions';
import { eventually } from '../../kit/eventually.ts';
import { newPair, startRelay, type TestPeer, type RelayFixture } from './fixture.ts';

const other = { operator: 'device', device: 'operator' } as const;
const { ping } = frameKinds;

/**
 * Sends a frame of each of the 256 kinds and then one that always passes; returns the first bytes that
 * arrived before it.
 */
async function passing(from: TestPeer, to: TestPeer): Promise<number[]> {
  for (let byte = 0; byte < 256; byte += 1) if (byte !== ping.byte) from.send(byte, 1, 2, 3);
  from.send(ping.byte, 0xff);
  const frames = await eventually(
    () => to.frames,
    (all) => all.at(-1)?.[0] === ping.byte,
  );
  return frames.map((frame) => frame[0]!);
}

const knownBytes = new Set<number>(Object.values(frameKinds).map(({ byte }) => byte));
/** Kinds of a later version: the receiver decides about them, because a frame that is missing ends the session. */
const unknownBytes = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !knownBytes.has(byte));

/** The table, read by a second implementation that does not use `maySend`, and every unknown kind. */
const expected = (side: Side, held: string): number[] =>
  Object.values(frameKinds)
    .filter(({ from, permission }: FrameKind) => from !== other[side] && (!permission || permission === held))
    .map(({ byte }): number => byte)
    .concat(unknownBytes)
    .toSorted((a, b) => (a === ping.byte ? 1 : b === ping.byte ? -1 : a - b));

async function whatPasses(fixture: RelayFixture, held: string): Promise<Record<Side, number[]>> {
  const { operator, device } = await fixture.meet([held]);
  return { operator: await passing(operator, device), device: await passing(device, operator) };
}

for (const permission of ['none at all', ...new Set(roleTypes.flatMap(permissionIds))])
  test(`with ${permission} exactly its kinds of frames pass, each in its direction, and those of later versions`, async () => {
    await using fixture = await startRelay();

    const passed = await whatPasses(fixture, permission);

    assert.deepEqual(passed.operator, expected('operator', permission));
    assert.deepEqual(passed.device, expected('device', permission));
  });

test('every permission for sessions opens at least one kind of frame', () => {
  for (const permission of sessionPermissions)
    assert.ok(
      expected('operator', permission).length > expected('operator', '').length ||
        expected('device', permission).length > expected('device', '').length,
      permission,
    );
});

test('each side is limited by its own ticket, not by that of the other', async () => {
  await using fixture = await startRelay();
  const pair = newPair();
  const operator = await fixture.come({ pair, side: 'operator', permissions: [] });
  const device = await fixture.come({ pair, side: 'device', permissions: ['agent_chat'] });
  await Promise.all([operator.paired(), device.paired()]);

  operator.send(frameKinds.chat.byte, 1);
  operator.send(ping.byte);
  device.send(frameKinds.chat.byte, 2);

  assert.deepEqual(await device.got(1), [Buffer.from([ping.byte])]);
  assert.deepEqual(await operator.got(1), [Buffer.from([frameKinds.chat.byte, 2])]);
  assert.equal(fixture.relay.stats().dropped, 1);
});

test('an empty frame is dropped, and one of an unknown kind passes', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await fixture.meet();

  operator.send();
  operator.send(0xee);
  operator.send(ping.byte);

  assert.deepEqual(await device.got(2), [Buffer.from([0xee]), Buffer.from([ping.byte])]);
  assert.equal(fixture.relay.stats().dropped, 1);
});

test('a side that keeps sending forbidden frames is disconnected at the thousandth frame', async () => {
  await using fixture = await startRelay();
  const { pair, operator, device } = await fixture.meet();

  for (let count = 0; count < 999; count += 1) operator.send(frameKinds.key.byte);
  operator.send(ping.byte);
  await device.got(1);
  assert.equal(operator.socket.readyState, operator.socket.OPEN);
  operator.send(frameKinds.key.byte);

  assert.deepEqual(await operator.closed, relayCloseCodes.not_allowed);
  assert.deepEqual(await device.closed, relayCloseCodes.gone);
  assert.deepEqual(fixture.ended, [
    {
      pair,
      bytesToOperator: 0,
      bytesToDevice: 1,
      directBytes: 0,
      dropped: 1_000,
      by: 'fault',
      paired: true,
      code: 1_006,
    },
  ]);
});

test('text after the ticket ends the session', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await fixture.meet();

  device.socket.send('hello');

  assert.deepEqual(await device.closed, relayCloseCodes.not_understood);
  assert.deepEqual(await operator.closed, relayCloseCodes.gone);
  assert.deepEqual(operator.texts, ['paired']);
});

test('nothing may be sent before both sides are connected', async () => {
  await using fixture = await startRelay();
  const early = await fixture.come({ side: 'device' });

  early.send(frameKinds.hello.byte);

  assert.deepEqual(await early.closed, relayCloseCodes.not_understood);
});

test('the longest frame passes, and a longer one ends the session', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await fixture.meet();
  const longest = Buffer.alloc(maxFrameBytes, ping.byte);

  device.socket.send(longest);
  const [frame] = await operator.got(1);
  device.socket.send(Buffer.alloc(maxFrameBytes + 1, ping.byte));

  assert.ok(frame!.equals(longest));
  assert.equal((await device.closed).code, 1_009);
  assert.deepEqual(await operator.closed, relayCloseCodes.gone);
  assert.equal(operator.frames.length, 1);
});

test('a frame in too many fragments ends the session', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await fixture.meet();

  for (let piece = 0; piece < 100; piece += 1)
    device.socket.send(Buffer.from([ping.byte]), { fin: false, binary: true });

  assert.equal((await device.closed).code, 1_008);
  assert.deepEqual(await operator.closed, relayCloseCodes.gone);
});

test('frames are not compressed, even for clients that ask', async () => {
  await using fixture = await startRelay();

  const peer = await fixture.dial({ perMessageDeflate: true });

  assert.equal(peer.socket.extensions, '');
});
