/** How sessions at the relay end, what is reported of them, and its timeouts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { frameKinds, type Side } from '@drawbridge/contract/session/frame-kinds';
import { eventually } from '../../kit/eventually.ts';
import { newPair, startRelay, type RelayFixture } from './fixture.ts';

const other = { operator: 'device', device: 'operator' } as const;
const sides: readonly Side[] = ['operator', 'device'];

const firstEnd = async (fixture: RelayFixture) => {
  const [end] = await eventually(
    () => fixture.ended,
    ({ length }) => length === 1,
  );
  return end!;
};

for (const side of sides) {
  test(`when the ${side} leaves, the other side is notified and the session is over`, async () => {
    await using fixture = await startRelay();
    const met = await fixture.meet();

    met[side].socket.close(1_000);

    assert.deepEqual(await met[other[side]].closed, relayCloseCodes.gone);
    assert.equal((await firstEnd(fixture)).by, side);
    assert.equal(fixture.relay.stats().sessions, 0);
  });

  test(`when the connection of the ${side} breaks, the other side is notified`, async () => {
    await using fixture = await startRelay();
    const met = await fixture.meet();

    met[side].socket.terminate();

    assert.deepEqual(await met[other[side]].closed, relayCloseCodes.gone);
    const { by, code } = await firstEnd(fixture);
    assert.deepEqual([by, code], [side, 1_006]);
  });

  test(`a frame the ${side} sent just before it left still arrives`, async () => {
    await using fixture = await startRelay();
    const met = await fixture.meet();

    met[side].send(frameKinds.end.byte, 1, 2);
    met[side].socket.close(1_000);
    await met[other[side]].closed;

    assert.deepEqual(met[other[side]].frames, [Buffer.from([frameKinds.end.byte, 1, 2])]);
  });
}

test('the bytes that passed are reported for each direction, and dropped ones are not counted', async () => {
  await using fixture = await startRelay();
  const { pair, operator, device } = await fixture.meet(['agent_connect']);

  for (let count = 0; count < 10; count += 1)
    device.socket.send(Buffer.alloc(100_000, frameKinds.video.byte));
  device.send(frameKinds.shown.byte, 1, 2, 3);
  operator.send(frameKinds.shown.byte, 0, 0, 0, 9);
  operator.send(frameKinds.key.byte, 1);
  await operator.got(10);
  await device.got(1);
  operator.socket.close(1_000);

  assert.deepEqual(await firstEnd(fixture), {
    pair,
    bytesToOperator: 1_000_000,
    bytesToDevice: 5,
    directBytes: 0,
    dropped: 2,
    by: 'operator',
    paired: true,
    code: 1_000,
  });
  const { bytes, dropped } = fixture.relay.stats();
  assert.deepEqual([bytes, dropped], [1_000_005, 2]);
});

test('the server ends a session, and both sides read its sentence', async () => {
  await using fixture = await startRelay();
  const { pair, operator, device } = await fixture.meet();
  const unharmed = await fixture.meet();

  fixture.relay.close(pair, 'Your right to connect was taken away.');

  const closing = { code: relayCloseCodes.ended.code, reason: 'Your right to connect was taken away.' };
  assert.deepEqual([await operator.closed, await device.closed], [closing, closing]);
  assert.equal((await firstEnd(fixture)).by, 'server');
  assert.equal(unharmed.operator.socket.readyState, unharmed.operator.socket.OPEN);
});

test('a sentence that is too long for a close frame is cut between characters', async () => {
  await using fixture = await startRelay();
  const { pair, operator } = await fixture.meet();

  fixture.relay.close(pair, 'ё'.repeat(100));

  assert.equal((await operator.closed).reason, 'ё'.repeat(61));
});

test('when the relay stops, it notifies sessions, waiting sides and unauthenticated sockets', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await fixture.meet();
  const waiting = await fixture.come({});
  const outsider = await fixture.dial();
  await eventually(
    () => fixture.relay.stats().waiting,
    (count) => count === 1,
  );

  await fixture.relay.closeAll();

  for (const { closed } of [operator, device, waiting, outsider])
    assert.deepEqual(await closed, relayCloseCodes.stopping);
  assert.deepEqual(
    fixture.ended.map(({ by }) => by),
    ['server', 'server'],
  );
  await assert.rejects(fixture.dial(), /503/);
});

for (const [side, seconds] of [
  ['device', 60],
  ['operator', 900],
] as const)
  test(`the ${side} waits ${seconds} seconds for the other side, and no longer`, async () => {
    await using fixture = await startRelay();
    const pair = newPair();
    const alone = await fixture.come({ pair, side });
    await eventually(
      () => fixture.relay.stats().waiting,
      (count) => count === 1,
    );

    await passTime(fixture, seconds - 5, [alone]);
    assert.equal(alone.socket.readyState, alone.socket.OPEN);
    await passTime(fixture, 5, []);

    assert.deepEqual(await alone.closed, relayCloseCodes.alone);
    const { by, paired } = await firstEnd(fixture);
    assert.deepEqual([by, paired], ['fault', false]);
  });

/** Advances the clock in steps in which everyone can answer the relay's pings. */
async function passTime(
  fixture: RelayFixture,
  seconds: number,
  alive: { socket: { once(event: 'ping', listener: () => void): unknown } }[],
): Promise<void> {
  let left = seconds;
  while (left > 0) {
    const step = Math.min(left, 12);
    const asked =
      step < 12
        ? []
        : alive.map(({ socket }) => new Promise<void>((resolve) => socket.once('ping', resolve)));
    fixture.advance(step);
    left -= step;
    await Promise.all(asked);
    if (asked.length > 0) await roundTrip(fixture);
  }
}

/** Resolves when the relay has read everything that was sent to it before. */
async function roundTrip(fixture: RelayFixture): Promise<void> {
  await (
    await fixture.come({ pair: 'short' })
  ).closed;
}

test('an idle session lives as long as both sides answer', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await fixture.meet();

  await passTime(fixture, 120, [operator, device]);
  operator.send(frameKinds.ping.byte);

  assert.deepEqual(await device.got(1), [Buffer.from([frameKinds.ping.byte])]);
});

test('a frozen side is detected within thirty seconds, and the other is notified', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await fixture.meet();
  device.socket.pause();

  await passTime(fixture, 24, [operator]);
  assert.equal(operator.socket.readyState, operator.socket.OPEN);
  fixture.advance(5);

  assert.deepEqual(await operator.closed, relayCloseCodes.gone);
  assert.equal((await firstEnd(fixture)).by, 'device');
});

test('a jump of the wall clock does not affect running sessions', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await fixture.meet();

  for (const jump of [3_600, -7_200, 1_000_000]) {
    fixture.setWall(jump);
    await roundTrip(fixture);
    const before = device.frames.length;
    operator.send(frameKinds.ping.byte);
    await device.got(before + 1);
  }
});

test('a side that sends pings gets pongs', async () => {
  await using fixture = await startRelay();
  const { operator } = await fixture.meet();
  const answered = new Promise(
    (resolve) => void operator.socket.once('pong', (data) => resolve(String(data))),
  );

  operator.socket.ping('there?');

  assert.equal(await answered, 'there?');
});
