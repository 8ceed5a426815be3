/** Where the shared monitors are in the picture, and positions of the pointer on them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutOfMonitors, locate, type SharedMonitor } from '../compositor/shared-monitors.ts';
import { placeStreams } from './monitors.ts';

const output = (name: string, x: number, width: number, scale: number) => ({
  object: 0,
  name,
  transform: 0,
  size: { width: width * scale, height: 600 * scale },
  logical: { x, y: 0, width, height: 600 },
});

const outputs = [output('DP-1', 0, 800, 1), output('DP-2', 800, 500, 2)];

function placeAt(monitors: readonly SharedMonitor[], atX: number, atY: number) {
  const { monitor, x, y } = locate(monitors, atX, atY)!;
  return { node: monitor.node, x, y };
}

test('a scaled monitor keeps its pixels, and positions on it are in the units of the desktop', () => {
  const monitors = placeStreams(
    [
      { node: 7, position: [800, 0], size: [500, 600] },
      { node: 5, position: [0, 0], size: [800, 600] },
    ],
    outputs,
  );

  assert.deepEqual(
    layoutOfMonitors(monitors).monitors.map(({ name, x, width }) => [name, x, width]),
    [
      ['DP-1', 0, 800],
      ['DP-2', 1_600, 1_000],
    ],
  );
  assert.deepEqual(placeAt(monitors, 400, 300), { node: 5, x: 400, y: 300 });
  assert.deepEqual(placeAt(monitors, 1_700, 300), { node: 7, x: 50, y: 150 });
});

test('between and beside the monitors the nearest one is meant', () => {
  const streams = [{ node: 5, position: [0, 0] as const, size: [800, 600] as const }];
  const monitors = placeStreams(streams, outputs);

  assert.deepEqual(placeAt(monitors, 5_000, -20), { node: 5, x: 799, y: 0 });
});

test('a stream without a position is the only monitor, or stands for itself', () => {
  const stream = { node: 3, size: [640, 480] as const };

  assert.equal(placeStreams([stream], outputs.slice(0, 1))[0]?.name, 'DP-1');
  assert.deepEqual(
    placeStreams([stream], outputs).map(({ name, box }) => [name, box.width, box.height]),
    [['monitor-1', 640, 480]],
  );
});
