/** A receiver that does not read: its queue stays small, and nobody else is affected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { frameKinds } from '@drawbridge/contract/session/frame-kinds';
import { defaultRelayLimits } from '@drawbridge/relay/limits';
import { eventually } from '../../kit/eventually.ts';
import { startRelay, type TestPeer, type RelayFixture } from './fixture.ts';

const kib = 1_024;
const mib = 1_024 * kib;
const frameBytes = 64 * kib;
/** Ten seconds at 50 Mbit/s: more than the system itself buffers between two sockets. */
const frames = 1_000;

/** Watches the queue length in every iteration of the event loop until disposed. */
function watch(fixture: RelayFixture): Disposable & { most: number } {
  const watched = { most: 0, over: false, [Symbol.dispose]: () => void (watched.over = true) };
  const look = (): void => {
    watched.most = Math.max(watched.most, fixture.relay.stats().buffered);
    if (!watched.over) setImmediate(look);
  };
  look();
  return watched;
}

const numbered = (number: number): Buffer => {
  const frame = Buffer.alloc(frameBytes, 0xaa);
  frame[0] = frameKinds.video.byte;
  frame.writeUInt32BE(number, 1);
  return frame;
};

/** Resolves once nothing moves any more between a sender and a receiver that does not read. */
async function stuck(sender: TestPeer, fixture: RelayFixture): Promise<void> {
  let [before, same] = [-1, 0];
  await eventually(
    () => sender.socket.bufferedAmount,
    (now) => {
      same = now === before && fixture.relay.stats().buffered > 0 ? same + 1 : 0;
      before = now;
      return same === 20;
    },
    30_000,
  );
}

async function flood(fixture: RelayFixture) {
  const met = await fixture.meet(['agent_connect', 'agent_control', 'agent_chat']);
  met.operator.socket.pause();
  for (let number = 0; number < frames; number += 1) met.device.socket.send(numbered(number));
  return met;
}

test('the queue for a receiver that does not read stays small, and its sender has to wait', async () => {
  await using fixture = await startRelay();
  using watched = watch(fixture);
  const { operator, device } = await flood(fixture);

  await stuck(device, fixture);

  const least = (frames * frameBytes) / 4;
  assert.ok(device.socket.bufferedAmount > least, `${device.socket.bufferedAmount} bytes held back`);
  assert.ok(watched.most > defaultRelayLimits.waitingBytes / 2, `${watched.most} bytes waited`);
  assert.ok(watched.most <= defaultRelayLimits.waitingBytes + 3 * frameBytes, `${watched.most} bytes waited`);

  operator.socket.resume();
  const arrived = await operator.got(frames);

  assert.deepEqual(
    arrived.map((frame) => frame.readUInt32BE(1)),
    Array.from({ length: frames }, (_, number) => number),
  );
});

test('meanwhile the other direction and other sessions are not affected', async () => {
  await using fixture = await startRelay();
  const { operator, device } = await flood(fixture);
  const others = await fixture.meet(['agent_connect']);
  await stuck(device, fixture);

  for (let count = 0; count < 100; count += 1) operator.send(frameKinds.pointer.byte, count);
  for (let number = 0; number < 200; number += 1) others.device.socket.send(numbered(number));

  assert.equal((await device.got(100))[99]![1], 99);
  assert.equal((await others.operator.got(200))[199]!.readUInt32BE(1), 199);
  assert.equal(operator.socket.isPaused, true);
});

test('a receiver that reads nothing for twenty seconds is disconnected, and its queue is freed', async () => {
  await using fixture = await startRelay({ ticketTimeoutSeconds: 1 });
  const { operator, device } = await flood(fixture);
  await stuck(device, fixture);

  await passTime(fixture, operator, 19);
  assert.equal(device.socket.readyState, device.socket.OPEN);
  await passTime(fixture, operator, 1);

  assert.deepEqual(await device.closed, relayCloseCodes.gone);
  assert.deepEqual([fixture.ended[0]?.by, fixture.relay.stats().buffered], ['operator', 0]);
});

/**
 * The receiver is alive: it sends something and reads nothing. An unauthenticated socket that is refused
 * shows that the relay has checked.
 */
async function passTime(fixture: RelayFixture, reader: TestPeer, seconds: number): Promise<void> {
  reader.send(frameKinds.ping.byte);
  const outsider = await fixture.dial();
  fixture.advance(seconds);
  assert.deepEqual(await outsider.closed, relayCloseCodes.too_slow);
}

/** Reads this many more frames, then nothing again. */
const readSome = ({ socket, frames: read }: TestPeer, count: number): Promise<void> =>
  new Promise((resolve) => {
    const until = read.length + count;
    const onMessage = (): void => {
      if (read.length < until) return;
      socket.pause();
      socket.off('message', onMessage);
      resolve();
    };
    socket.on('message', onMessage);
    socket.resume();
  });

test('a receiver that reads now and then stays connected, however slow it is', async () => {
  await using fixture = await startRelay({ ticketTimeoutSeconds: 1 });
  const { operator, device } = await flood(fixture);
  await stuck(device, fixture);

  for (let turn = 0; turn < 4; turn += 1) {
    await readSome(operator, 100);
    await stuck(device, fixture);
    await passTime(fixture, operator, 15);
  }

  assert.equal(operator.socket.readyState, operator.socket.OPEN);
  assert.deepEqual(fixture.ended, []);
});

test('a session in which neither side reads buffers no more than the limit, then it ends', async () => {
  const sessionBytes = 300 * kib;
  await using fixture = await startRelay({ sessionBytes });
  using watched = watch(fixture);
  const { operator, device } = await fixture.meet(['agent_chat']);
  operator.socket.pause();
  device.socket.pause();

  const frame = Buffer.alloc(frameBytes, frameKinds.chat.byte);
  for (let number = 0; number < frames; number += 1)
    for (const { socket } of [operator, device]) socket.send(frame);

  const [end] = await eventually(
    () => fixture.ended,
    ({ length }) => length === 1,
  );
  assert.equal(end!.by, 'fault');
  assert.ok(watched.most <= sessionBytes + frameBytes, `${watched.most} bytes waited`);
});

test('unread pongs do not pile up', async () => {
  await using fixture = await startRelay();
  using watched = watch(fixture);
  const { operator, device } = await fixture.meet();
  operator.socket.pause();

  for (let count = 0; count < 50_000; count += 1) operator.socket.ping(Buffer.alloc(125));
  operator.send(frameKinds.ping.byte);
  await device.got(1);

  assert.ok(watched.most < mib, `${watched.most} bytes waited`);
});
