/** What callers are told about a command, by what the bus and the store say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { busTimeout, nodeUnreachable, noResponder } from '../../bus/bus.ts';
import { createMemoryBus } from '../../bus/memory.ts';
import { createBusFleet } from './fleet.ts';

const now = (): number => 100;

/** Asks for a restart of a device whose lease lives until this time; the answers of the bus are these, and the last again and again. */
async function ask(
  answers: readonly unknown[],
  { leaseUntil = 130, isExclusive = false } = {},
): Promise<{ result: unknown; paused: number[] }> {
  const [paused, rest]: [number[], unknown[]] = [[], [...answers]];
  const bus = { ...createMemoryBus(), request: async () => (rest.length > 1 ? rest.shift() : rest[0]) };
  const standings = async () => [{ id: 7, epoch: 'e', approved: true, leaseUntil }];
  const pause = async (ms: number): Promise<unknown> => paused.push(ms);
  const fleet = createBusFleet(bus, { deviceIdentity: { standings }, now, isExclusive }, pause);
  return { result: await fleet.command(7, 'reboot', { safe: false }), paused };
}

const resultOf = async (answer: unknown, leaseUntil?: number, isExclusive?: boolean): Promise<unknown> =>
  (await ask([answer], { leaseUntil, isExclusive })).result;

test('a device that has just arrived or moved is asked again, where no node has passed on the command', async () => {
  const done = { result: { done: {} }, paused: [100] };
  assert.deepEqual(await ask([noResponder, { done: {} }]), done);
  assert.deepEqual(await ask([{ none: 'unreachable', moved: true }, { done: {} }]), done);
  assert.deepEqual((await ask([noResponder])).paused, [100, 400]);
});

test('a command that is sent again has the same id, and is for the newest connection of the device', async () => {
  const messages: { id?: string; epoch?: string }[] = [];
  const request = async (_subject: string, message: unknown): Promise<unknown> =>
    messages.push(message as object) > 1 ? { done: {} } : noResponder;
  const epochs = ['old', 'new'];
  const standings = async () => [{ id: 7, epoch: epochs.shift()!, approved: true, leaseUntil: 130 }];
  const store = { deviceIdentity: { standings }, now, isExclusive: false };

  await createBusFleet({ ...createMemoryBus(), request }, store, async () => {}).command(7, 'lock', {});

  assert.deepEqual(
    messages.map(({ epoch }) => epoch),
    ['old', 'new'],
  );
  assert.equal(new Set(messages.map(({ id }) => id)).size, 1);
});

test('a device that is offline is not asked again', async () => {
  assert.deepEqual(await ask([noResponder, { done: {} }], { leaseUntil: 100 }), {
    result: 'offline',
    paused: [],
  });
  const { paused } = await ask([noResponder, { done: {} }], { isExclusive: true });
  assert.deepEqual(paused, []);
});

test('a command that may have been passed on is not sent again', async () => {
  for (const answer of [nodeUnreachable, busTimeout, undefined, { none: 'silent' }, { none: 'unreachable' }])
    assert.deepEqual((await ask([answer, { done: {} }])).paused, []);
});

test('a device that no node answers for is offline only if it holds no lease', async () => {
  assert.equal(await resultOf(noResponder, 130), 'unreachable');
  assert.equal(await resultOf(noResponder, 100), 'offline');
});

test('a device whose connection has just ended is offline where no other node can hold it', async () => {
  assert.equal(await resultOf(noResponder, 130, true), 'offline');
});

test('a command that may have been delivered is never reported as one to an offline device', async () => {
  assert.equal(await resultOf(busTimeout), 'silent');
  assert.equal(await resultOf(undefined), 'silent');
  assert.equal(await resultOf({ none: 'silent' }), 'silent');
});

test('a node that is silent, or cannot pass on the command, makes the device unreachable', async () => {
  assert.equal(await resultOf(nodeUnreachable), 'unreachable');
  assert.equal(await resultOf({ none: 'unreachable' }), 'unreachable');
});

test('without the store no device is asked, and none is called offline', async () => {
  const bus = createMemoryBus();
  const asked: unknown[] = [];
  bus.answer('agent.7.command', async (message) => asked.push(message));
  const standings = (): Promise<never> => Promise.reject(new Error('the store is away'));

  const fleet = createBusFleet(bus, { deviceIdentity: { standings }, now, isExclusive: false });

  assert.equal(await fleet.command(7, 'reboot', { safe: false }), 'unreachable');
  assert.deepEqual(asked, []);
});
