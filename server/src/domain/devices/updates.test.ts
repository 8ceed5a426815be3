/** Tests which devices are asked to update, and when updates pause. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  defaultUpdateSettings,
  maxAtOnce,
  planUpdates,
  updateRound,
  updateStateOf,
  type DeviceUpdate,
  type UpdateSettings,
} from './updates.ts';

const now = 1_800_000_000; // 08:00 UTC
const outdated: DeviceUpdate = {
  id: 1,
  groupId: null,
  version: '1.0.0',
  installed: true,
  online: true,
  channel: 'stable',
  pin: '',
  progress: '',
  target: '',
  time: 0,
};
const devices = (count: number, some: Partial<DeviceUpdate> = {}, from = 1): DeviceUpdate[] =>
  Array.from({ length: count }, (_, index) => ({ ...outdated, id: from + index, ...some }));
const done = { version: '2.0.0', target: '2.0.0', progress: 'done' } as const;
const failed = { target: '2.0.0', progress: 'failed' } as const;

const plan = (settings: Partial<UpdateSettings>, some: readonly DeviceUpdate[], at = now) =>
  planUpdates({
    settings: { ...defaultUpdateSettings, canary: 0, perMinute: 60, ...settings },
    version: '2.0.0',
    devices: some,
    now: at,
  });

test('only devices that are online, installed, outdated, and neither pinned to another version nor without updates by policy are asked', () => {
  const some: DeviceUpdate[] = [
    { ...outdated, id: 1 },
    { ...outdated, id: 2, online: false },
    { ...outdated, id: 3, installed: false },
    { ...outdated, id: 4, version: '2.0.0' },
    { ...outdated, id: 5, version: '2.0.1' },
    { ...outdated, id: 6, channel: 'off' },
    { ...outdated, id: 7, pin: '1.9.0' },
    { ...outdated, id: 8, pin: '2.0.0' },
    { ...outdated, id: 9, target: '1.5.0', progress: 'failed' },
    { ...outdated, id: 10, target: '2.0.0', progress: 'downloading', time: now },
  ];

  assert.deepEqual(plan({}, some), { ask: [1, 8, 9] });
});

test('a device that is silent for half an hour, or refused a quarter of an hour ago, is asked again', () => {
  const some: DeviceUpdate[] = [
    { ...outdated, id: 1, target: '2.0.0', progress: 'downloading', time: now - 1_800 },
    { ...outdated, id: 2, target: '2.0.0', progress: 'downloading', time: now - 1_799 },
    { ...outdated, id: 3, target: '2.0.0', progress: 'refused', time: now - 900 },
    { ...outdated, id: 4, target: '2.0.0', progress: 'refused', time: now - 899 },
  ];

  assert.deepEqual(plan({}, some), { ask: [1, 3] });
  assert.deepEqual(
    some.map((device) => updateStateOf(device, '2.0.0', now)),
    ['outdated', 'updating', 'refused', 'refused'],
  );
});

test('a few devices are asked in each round, and fewer while many are busy', () => {
  const busy = devices(maxAtOnce - 3, { target: '2.0.0', progress: 'downloading', time: now }, 101);

  assert.deepEqual(plan({}, devices(100)), { ask: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });
  assert.deepEqual(plan({}, [...devices(100), ...busy]), { ask: [1, 2, 3] });
  assert.deepEqual(plan({ perMinute: 1 }, devices(100)), { ask: [1] });
});

test('groups go in their order, then all other devices', () => {
  const some = [
    { ...outdated, id: 1 },
    { ...outdated, id: 2, groupId: 7 },
    { ...outdated, id: 3, groupId: 5 },
    { ...outdated, id: 4, groupId: 9 },
    { ...outdated, id: 5, groupId: 5 },
  ];

  assert.deepEqual(plan({ groups: [5, 7] }, some), { ask: [3, 5, 2, 1, 4] });
});

test('others follow only when as many canaries as asked for have been updated', () => {
  const busy = devices(1, { target: '2.0.0', progress: 'waiting', time: now }, 50);

  assert.deepEqual(plan({ canary: 3 }, [...devices(20), ...busy]), { ask: [1, 2] });
  assert.deepEqual(plan({ canary: 3 }, [...devices(20), ...devices(2, done, 100)]), { ask: [1] });
  assert.deepEqual(plan({ canary: 3 }, [...devices(20), ...devices(3, done, 100)]), {
    ask: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  });
});

test('updates pause when the share of failures is reached, but not before the canaries have tried', () => {
  const settings = { canary: 5, failurePercent: 20 };

  assert.deepEqual(plan(settings, devices(1, failed)), { ask: [] });
  assert.equal(plan(settings, [...devices(1, failed), ...devices(4, done, 10)]), 'pause');
  assert.deepEqual(plan(settings, [...devices(1, failed), ...devices(5, done, 10)]), { ask: [] });
  assert.equal(plan({ canary: 0, failurePercent: 100 }, devices(1, failed)), 'pause');
});

test('updates begin only in the hours of the account, also over midnight', () => {
  const hours = (windowStart: number, windowEnd: number, at: number) =>
    plan({ windowStart, windowEnd }, devices(1), at);

  assert.deepEqual(hours(8, 9, now), { ask: [1] });
  assert.deepEqual(hours(8, 9, now + 3_600), { ask: [] });
  assert.deepEqual(hours(22, 5, now), { ask: [] });
  assert.deepEqual(hours(22, 5, now + 14 * 3_600), { ask: [1] });
  assert.deepEqual(hours(22, 5, now + 20 * 3_600), { ask: [1] });
  assert.deepEqual(hours(22, 5, now + 21 * 3_600), { ask: [] });
});

test('a thousand devices update without more at once than allowed, and none twice', () => {
  const fleet = new Map(devices(1_000).map((device) => [device.id, device]));
  const asked: number[] = [];
  let [most, at] = [0, now];
  for (; asked.length < 1_000; at += updateRound) {
    // Each device takes two minutes.
    for (const device of fleet.values())
      if (device.progress === 'downloading' && at - device.time >= 120)
        fleet.set(device.id, { ...device, ...done });
    const outcome = plan({ canary: 5 }, [...fleet.values()], at);
    assert.ok(outcome !== 'pause' && outcome.ask.length <= 10);
    for (const id of outcome.ask)
      fleet.set(id, { ...fleet.get(id)!, target: '2.0.0', progress: 'downloading', time: at });
    asked.push(...outcome.ask);
    const busy = [...fleet.values()].filter(({ progress }) => progress === 'downloading').length;
    most = Math.max(most, busy);
  }

  assert.equal(new Set(asked).size, 1_000);
  assert.equal(most, maxAtOnce);
  assert.ok(at - now > 20 * 120, `${at - now} seconds`);
});
