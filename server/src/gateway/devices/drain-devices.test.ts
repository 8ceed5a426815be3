/** How the devices of a node that stops are sent away. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { drainDevices } from './drain-devices.ts';
import type { UplinkConnection } from './uplink-connection.ts';

/** So many connected devices, and the order in which they are closed. */
function connectDevices(count: number) {
  const [sent, closed]: [string[], number[]] = [[], []];
  const connections = new Map<number, UplinkConnection>();
  for (let agentId = 1; agentId <= count; agentId++) {
    const socket = {
      OPEN: 1,
      readyState: 1,
      send: (text: string) => void sent.push(text),
      close: () => void closed.push(agentId),
    };
    connections.set(agentId, { agentId, socket } as never);
  }
  return { connections, sent, closed };
}

for (const [name, limitMs, perRound] of [
  ['300 a second', 20_000, 30],
  ['faster when there is not enough time for that', 500, 200],
] as const)
  test(`devices are sent away ${name}, those in a session first`, async (context) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    context.after(() => mock.timers.reset());
    const { connections, sent, closed } = connectDevices(1_000);

    const drained = drainDevices(connections, new Set([999, 500]), limitMs);
    const counts = [closed.length];
    while (closed.length < 1_000) {
      mock.timers.tick(100);
      await new Promise(setImmediate);
      counts.push(closed.length);
    }
    await drained;

    assert.deepEqual(closed.slice(0, 3), [500, 999, 1]);
    assert.deepEqual(counts.slice(0, 3), [perRound, 2 * perRound, 3 * perRound]);
    assert.equal(counts.length, Math.ceil(1_000 / perRound));
    assert.deepEqual([...new Set(sent)], ['{"kind":"move","after_seconds":0}']);
  });
