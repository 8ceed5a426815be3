/** When a device counts as gone: it sends nothing, or it does not receive what is sent to it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startHeartbeat } from './heartbeat.ts';
import type { UplinkConnection } from './uplink-connection.ts';

/** A device that always has just sent something, and a clock that the test sets. */
function start() {
  const time = { now: 0 };
  const socket = { bufferedAmount: 0, pings: 0, isGone: false };
  const connection = {
    nextPingAt: 12_000,
    get lastReceivedAt() {
      return time.now;
    },
    socket: {
      get bufferedAmount() {
        return socket.bufferedAmount;
      },
      ping: () => void (socket.pings += 1),
      terminate: () => void (socket.isGone = true),
    },
  } as unknown as UplinkConnection;
  const seen = { checks: 0 };
  const devices = (): UplinkConnection[] => {
    seen.checks += 1;
    return [connection];
  };
  const heartbeat = startHeartbeat(devices, { clock: () => time.now, everyMs: 1 });
  /** Lets seconds pass one by one; `waiting` gives the bytes that the device has not received at each of them. */
  const pass = async (seconds: number, waiting: (second: number) => number): Promise<void> => {
    for (let second = 0; second < seconds && !socket.isGone; second += 1) {
      time.now += 1_000;
      socket.bufferedAmount = waiting(second);
      const before = seen.checks;
      while (seen.checks === before) await nextTurn();
    }
  };
  return { socket, pass, [Symbol.dispose]: () => heartbeat.stop() };
}

test('a device that sends but does not receive for long is disconnected', async () => {
  using device = start();
  await device.pass(20, () => 100);
  assert.equal(device.socket.isGone, false);

  await device.pass(10, () => 5_000);

  assert.equal(device.socket.isGone, true);
});

test('a device on a slow connection, for which data waits most of the time, stays connected', async () => {
  using device = start();

  await device.pass(60, (second) => (second % 20 === 0 ? 0 : 5_000));

  assert.equal(device.socket.isGone, false);
  assert.ok(device.socket.pings >= 4);
});
