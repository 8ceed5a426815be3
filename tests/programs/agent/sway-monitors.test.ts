/** Several monitors of a real wlroots desktop, one of them scaled and rotated: where they are in the picture, and where clicks arrive. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import type { Desktop, DesktopInput } from '@drawbridge/agent/platform/desktop';
import { startSway, swayTerminalColour } from '../../kit/display/sway.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { coloursAt } from '../../kit/session/desktop-session.ts';

const skip = skipWithout('sway');
/** The second monitor has 800 × 400 pixels, stands upright, and is scaled by 2; all distances are enlarged by that. */
const [width, height] = [2_400, 800];
const second = { name: 'HEADLESS-2', x: 2_000, y: 0, width: 400, height: 800, primary: false };
const [upper, lower] = [0xaa3300, 0x0033aa];

/** In the first and near the last cell of the two terminals on the second monitor. */
const clickPlaces = [
  [2_004, 4],
  [2_375, 375],
  [2_004, 404],
  [2_375, 775],
] as const;
/** Left and right in each of them, where they have no text. */
const plainPlaces = [
  [2_020, 200],
  [2_375, 375],
  [2_020, 600],
  [2_375, 775],
] as const;

const layoutWith = (desktop: Desktop, isWanted: (monitors: number) => boolean) =>
  eventually(
    () => desktop.layout(),
    ({ monitors }) => isWanted(monitors.length),
  );

function click(input: DesktopInput, x: number, y: number): void {
  for (const buttons of [0, 1, 0]) input.pointer(x, y, buttons);
}

const enter = (input: DesktopInput): void =>
  [true, false].forEach((down) => input.key(down, 'Enter', 'Enter'));

/** Whether two clicks were in the first and near the last cell of a terminal. */
function reachesCorners(line: string): boolean {
  const [rows = 0, columns = 0] = line.split(' ').map(Number);
  const places = [...line.matchAll(/\[<0;(\d+);(\d+)M/g)].map(([, x, y]) => [+x!, +y!] as const);
  const isFirst = places.some(([x, y]) => x === 1 && y === 1);
  return isFirst && places.some(([x, y]) => x >= columns - 2 && y >= rows - 2);
}

test(
  'monitors that are scaled and rotated are upright in the picture, and clicks arrive where they are aimed',
  { skip },
  async () => {
    await using sway = await startSway(1_000, 600);
    const desktop = await openDesktop();
    using _ = { [Symbol.dispose]: () => desktop.close() };
    await layoutWith(desktop, (count) => count === 1);
    sway.command('create_output');
    sway.command('output HEADLESS-2 resolution 800x400 position 1000 0 scale 2 transform 90');
    sway.command('focus output HEADLESS-2');
    const upperLines = await sway.openTerminal('upper', upper);
    sway.command('splitv');
    const lowerLines = await sway.openTerminal('lower', lower);

    const layout = await layoutWith(desktop, (count) => count === 2);
    assert.deepEqual([layout.width, layout.height, layout.monitors[1]], [width, height, second]);
    for (const transform of ['90', '270', 'flipped-90', 'flipped-270']) {
      sway.command(`output HEADLESS-2 transform ${transform}`);
      await eventually(
        () => coloursAt(desktop, [500, 300], ...plainPlaces),
        (colours) => isDeepStrictEqual(colours, [swayTerminalColour, upper, upper, lower, lower]),
      );
    }

    const input = await desktop.input();
    for (const [x, y] of clickPlaces) {
      click(input, x, y);
      enter(input);
    }
    const [above, below] = await eventually(
      () => {
        enter(input);
        return [upperLines(), lowerLines()] as const;
      },
      (received) => received.every((lines) => (lines.match(/\[<0;\d+;\d+m/g) ?? []).length >= 2),
    );
    for (const lines of [above, below]) {
      const [rows = 0, columns = 0] = lines.split(' ').map(Number);
      const [first, last = []] = [...lines.matchAll(/\[<0;(\d+);(\d+)M/g)].map(([, x, y]) => [+x!, +y!]);
      assert.deepEqual(first, [1, 1]);
      assert.ok(
        last[0]! >= columns - 2 && last[1]! >= rows - 2,
        `the last click is in ${last.join(', ')} of ${columns}, ${rows}`,
      );
    }
  },
);

/** Waits until sway has answered: it disconnects programs that do not keep up with its events. */
const settled = (desktop: Desktop): Promise<unknown> => coloursAt(desktop, [1, 1]);

test(
  'a monitor with a fractional scale is shown with all its pixels, and clicks arrive where they are aimed',
  { skip },
  async () => {
    await using sway = await startSway(1_200, 600);
    // It fills the right half.
    const lines = await sway.openTerminal('right', upper);
    const desktop = await openDesktop();
    using _ = { [Symbol.dispose]: () => desktop.close() };
    const input = await desktop.input();
    for (const scale of [1.25, 1.5]) {
      sway.command(`output HEADLESS-1 scale ${scale}`);
      await eventually(
        () => coloursAt(desktop, [590, 300], [610, 300], [1_195, 300]),
        (colours) => isDeepStrictEqual(colours, [swayTerminalColour, upper, upper]),
      );
      const before = lines().length;
      await eventually(
        async () => {
          click(input, 603, 3);
          click(input, 1_189, 582);
          enter(input);
          await settled(desktop);
          return lines().slice(before).split('\n');
        },
        (received) => received.some((line) => reachesCorners(line)),
      );
      const { width: wide, height: high, monitors } = await desktop.layout();
      assert.deepEqual([wide, high, monitors.length], [1_200, 600, 1]);
    }
  },
);

test(
  'a click right after the pointer has jumped from one window on XWayland into another arrives where it was aimed',
  { skip: skipWithout('Wayland') || skipWithout('programs of a desktop') },
  async () => {
    await using sway = await startSway(1_000, 600, 'force');
    const left = await sway.openXTerminal('left');
    const right = await sway.openXTerminal('right');
    const desktop = await openDesktop();
    using _ = { [Symbol.dispose]: () => desktop.close() };
    const input = await desktop.input();
    const clicked = (lines: string): number => lines.match(/\[<0;\d+;\d+m/g)?.length ?? 0;
    const clickUntil = (x: number, lines: () => string): Promise<unknown> =>
      eventually(
        async () => {
          click(input, x, 300);
          enter(input);
          await settled(desktop);
          return clicked(lines());
        },
        (count) => count > 0,
      );

    // The two stand beside each other, after the first terminal. Programs notice a mouse some time after it was created.
    await clickUntil(850, right);
    await clickUntil(500, left);
    const before = clicked(right());
    // Again if the line was ended before the window had the keyboard.
    await eventually(
      () => {
        input.pointer(500, 300, 0);
        click(input, 850, 300);
        enter(input);
        return clicked(right());
      },
      (count) => count > before,
    );
    const places = [...right().matchAll(/\[<0;(\d+);(\d+)M/g)].map(([, x, y]) => `${x}, ${y}`);

    assert.deepEqual(new Set(places).size, 1, places.join('; '));
  },
);
