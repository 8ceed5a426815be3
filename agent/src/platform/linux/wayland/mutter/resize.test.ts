/** Tests how the size of a GNOME desktop is changed, over a bus that the test plays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionBus } from '../dbus/session-bus.ts';
import { readMutterLayout } from './display-config.ts';
import { resizeMonitor } from './resize.ts';

const name = (connector: string): string[] => [connector, 'vendor', 'product', 'serial'];

/** A monitor with three modes, at the scale 2 in the largest, which the smallest does not support. */
const physical = (connector: string): unknown[] => [
  name(connector),
  [
    ['large', 3_840, 2_160, 60, 2, [1, 2], { 'is-current': true }],
    ['slow', 1_920, 1_080, 30, 1, [1, 2], {}],
    ['fast', 1_920, 1_080, 60, 1, [1, 2], {}],
    ['small', 800, 600, 60, 1, [1], {}],
  ],
  {},
];

function playBus(transform: number, ...connectors: string[]) {
  const applied: unknown[][] = [];
  const logical = connectors.map((each, at) => [at * 1_920, 0, 2, transform, at === 0, [name(each)], {}]);
  const bus = {
    callAll: async () => [7, connectors.map(physical), logical, {}],
    call: async (_object: unknown, member: string, _signature: string, ...values: unknown[]) =>
      void applied.push([member, ...values]),
  };
  return { bus: bus as unknown as SessionBus, applied };
}

const apply = (scale: number, transform: number, mode: string): unknown[] => {
  const monitor = [0, 0, scale, transform, true, [['eDP-1', mode, {}]]];
  return ['ApplyMonitorsConfig', 7, 1, [monitor], {}];
};

test('the fastest mode of a size is applied for the time being, at the scale of the person if the mode supports it', async () => {
  const { bus, applied } = playBus(0, 'eDP-1');

  const { layout } = await readMutterLayout(bus);
  await resizeMonitor(bus, { width: 1_920, height: 1_080 });
  await resizeMonitor(bus, { width: 800, height: 600 });

  assert.deepEqual(layout.sizes, [
    { width: 3_840, height: 2_160 },
    { width: 1_920, height: 1_080 },
    { width: 800, height: 600 },
  ]);
  assert.deepEqual(applied, [apply(2, 0, 'fast'), apply(1, 0, 'small')]);
});

test('the sizes of a monitor that was turned are those of its picture', async () => {
  const { bus, applied } = playBus(1, 'eDP-1');

  const { layout } = await readMutterLayout(bus);
  await resizeMonitor(bus, { width: 1_080, height: 1_920 });

  assert.deepEqual(layout.sizes[0], { width: layout.width, height: layout.height });
  assert.deepEqual(applied, [apply(2, 1, 'fast')]);
});

test('a size that the monitor does not support, and one of several monitors, are refused with a sentence', async () => {
  const [one, two] = [playBus(0, 'eDP-1'), playBus(0, 'eDP-1', 'DP-2')];

  await assert.rejects(
    resizeMonitor(one.bus, { width: 1_000, height: 600 }),
    /cannot be set to 1000×600 pixels/,
  );
  await assert.rejects(resizeMonitor(two.bus, { width: 800, height: 600 }), /exactly one monitor/);
  const { layout } = await readMutterLayout(two.bus);

  assert.deepEqual([one.applied, two.applied, layout.sizes], [[], [], []]);
});
