/**
 * Desktop duplication on Windows, under Wine, which does not have it: a double with the tables of Microsoft's headers plays it. Only
 * real Windows shows whether its graphics cards do the same.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildDouble } from '../../../kit/agent/duplication/build-double.ts';
import { runOnWindows, skipWithoutWindows } from '../../../kit/agent/windows-program.ts';
import { startDisplay } from '../../../kit/display/display.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithoutWindows() || skipWithout('clang for Windows');
const [width, height] = [800, 600];
const whole = [{ x: 0, y: 0, width, height }];
const paintedAt = (x: number, y: number) => ({ x, y, width: 20, height: 10 });

test(
  'what Windows says has changed is copied; while Windows refuses duplication, GDI takes over',
  { skip },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-double-'));
    await using display = await startDisplay(width, height);
    using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };

    const output = await runOnWindows('tests/programs/agent/wine/duplication-program.ts', display.name, {
      libraries: { 'double.dll': buildDouble(folder) },
    });

    assert.deepEqual(JSON.parse(/^RESULTS (.*)$/m.exec(output)![1]!), {
      begun: {
        isOwn: true,
        damage: whole,
        pixel: 0x10_20_30,
        // The first frame shows only the pointer.
        frames: 2,
        copies: 1,
        isCopiedAfterDuplication: true,
      },
      painted: {
        damage: [{ x: 100, y: 50, width: 20, height: 10 }],
        pixels: [0x40_50_60, 0x10_20_30],
        copies: 1,
      },
      moved: { damage: [{ x: 100, y: 60, width: 20, height: 10 }], pixel: 0x40_50_60 },
      views: 0,
      second: { isOwn: true, damage: whole, pixel: 0x40_50_60 },
      lost: { damage: whole, pixel: 0x40_50_60 },
      contexts: 0,
      copied: { damage: whole, isOwn: true },
      again: { damage: whole, pixel: 0x40_50_60 },
      left: 0,
      closed: { frames: 0, copies: 0 },
      shared: {
        damage: [[paintedAt(300, 50)], [paintedAt(340, 50)], [paintedAt(300, 50), paintedAt(340, 50)]],
        pixels: [0x70_80_90, 0xa0_b0_c0],
        duplications: 1,
        refusals: 0,
      },
      // The second monitor is 200 pixels wide.
      monitors: {
        isWhole: true,
        seen: [
          { damage: [{ x: 10, y: 20, width: 4, height: 2 }], pixel: 0x11_11_11 },
          { damage: [{ x: 210, y: 20, width: 4, height: 2 }], pixel: 0x22_22_22 },
        ],
        left: 0,
      },
    });
  },
);
