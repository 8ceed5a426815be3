/** When devices get their policy, while the store is slow. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startPolicyDelivery } from './policy-delivery.ts';
import type { UplinkConnection } from './uplink-connection.ts';

const newDevice = (agentId: number): UplinkConnection =>
  ({
    agentId,
    accountId: 1,
    approved: true,
    version: 99,
    socket: { OPEN: 1, readyState: 1 },
  }) as unknown as UplinkConnection;

test('devices that arrive during a delivery do not keep the others from theirs', async () => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const read: number[][] = [];
  const waiting: (() => void)[] = [];
  const devices = [newDevice(1)];
  const policies = {
    async versions() {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return new Map([[1, 2]]);
    },
    async ofAgents(_account: number, ids: readonly number[]) {
      read.push([...ids]);
      return [];
    },
  };
  const store = { policies } as never;
  const delivery = startPolicyDelivery({ store, log: {} as never, connections: () => devices });
  const answerStore = async (): Promise<void> => {
    waiting.splice(0).forEach((resolve) => resolve());
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  };
  const arrive = (agentId: number): void => {
    devices.push(newDevice(agentId));
    delivery.arrived(devices.at(-1)!);
    mock.timers.tick(20);
  };

  arrive(2);
  mock.timers.tick(1_000);
  arrive(3);
  await answerStore();
  await answerStore();

  assert.deepEqual(read, [[2], [1, 2, 3]]);
  await delivery.close();
  mock.timers.reset();
});
