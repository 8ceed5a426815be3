/** Fractional scales of a monitor of a real GNOME desktop: the size of its picture, and where the pointer arrives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import type { Desktop, DesktopInput } from '@drawbridge/agent/platform/desktop';
import { startGnome, type Gnome } from '../../kit/display/gnome.ts';
import { recordingWindowColour } from '../../kit/display/recording-window.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { coloursAt, type Place } from '../../kit/session/desktop-session.ts';

const [width, height] = [1_920, 1_080];
const second = { width: 800, height: 600 };
/** In place of 1.75, GNOME offers the scale next to it at which this monitor has a whole size. */
const scales = [1.25, 1.5, 1.7391303777694702];
/** GNOME blurs the last pixels at 1.739, because the whole picture does not have a whole size then. */
const margin = 3;

interface Used {
  gnome: Gnome;
  desktop: Desktop;
  input: DesktopInput;
}

/** Where a monitor is in the picture. */
interface Area {
  x: number;
  width: number;
  height: number;
}

/** Moves the window to a monitor, which it fills; neither it nor the pointer is elsewhere. */
async function fillsMonitor({ gnome, desktop, input }: Used, at: number, areas: Area[], scale: number) {
  const corners = ({ x, ...size }: Area): Place[] => [
    [x + margin, margin],
    [x + size.width - 1 - margin, size.height - 1 - margin],
  ];
  await gnome.moveWindow(at);
  await eventually(
    // While its monitors change, the desktop of a busy machine may not answer in time.
    () => coloursAt(desktop, ...areas.flatMap(corners)).catch(() => []),
    (colours) => {
      const isWindow = colours.map((colour) => colour === recordingWindowColour);
      return isDeepStrictEqual(isWindow, [at === 0, at === 0, at === 1, at === 1]);
    },
  );
  const [x, y] = [120 * (2 + at), 240];
  await eventually(
    () => {
      // Input follows monitors some time later.
      input.pointer(areas[at]!.x + x + 2, y, 0);
      input.pointer(areas[at]!.x + x, y, 0);
      return gnome.events().at(-1);
    },
    (last) => last === `pointer ${Math.round(x / scale)} ${Math.round(y / scale)}`,
  );
}

async function useScaled(used: Used, scale: number): Promise<void> {
  const logicalWidth = Math.round(width / scale);
  await used.gnome.placeMonitors(
    { x: 0, y: 0, scale, transform: 0 },
    { x: logicalWidth, y: 0, scale: 1, transform: 0 },
  );
  const { monitors, ...whole } = await used.desktop.layout();
  const [wide, high] = [second.width, second.height].map((length) => Math.round(length * scale));
  assert.deepEqual([whole.width, whole.height], [width + wide!, height]);
  assert.deepEqual(
    monitors.map((each) => [each.x, each.y, each.width, each.height]),
    [
      [0, 0, width, height],
      [width, 0, wide, high],
    ],
  );
  const areas = monitors.map((each) => ({ x: each.x, width: each.width, height: each.height }));
  for (const at of [0, 1]) await fillsMonitor(used, at, areas, scale);
}

test(
  'a monitor with a fractional scale is shown with all its pixels, and the pointer arrives where it is aimed',
  { skip: skipWithout('GNOME') },
  async () => {
    const other = `--virtual-monitor ${second.width}x${second.height}`;
    await using gnome = await startGnome(width, height, other, '--unsafe-mode');
    await gnome.beginWork();
    const desktop = await openDesktop();
    using _ = { [Symbol.dispose]: () => desktop.close() };
    const input = await desktop.input();

    for (const scale of scales) await useScaled({ gnome, desktop, input }, scale);
  },
);
