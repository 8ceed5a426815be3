/** Updates in the runtime for Windows, under Wine: releases that are refused, installations that are killed, and a full disk. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import {
  fullDiskMegabytes,
  fullDiskMomentsOnWindows,
  fullDiskResult,
  momentsOf,
} from '../../../devices/updates/full-disk.ts';
import { damagedFiles, refusedReleases } from '../../../devices/updates/refused-cases.ts';
import { buildVersionProgram } from '../../../kit/agent/version-program/build-version-program.ts';
import { versionProgramVariable } from '../../../kit/agent/version-program/version-program.ts';
import { runOnWindows, skipWithoutWindows } from '../../../kit/agent/windows-program.ts';
import { startDisplay } from '../../../kit/display/display.ts';
import { mountSmallDisk } from '../../../kit/nodes/small-disk.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { smallDiskVariable } from './small-disk-variable.ts';

const skip = skipWithoutWindows() || skipWithout('clang for Windows');

describe('an update on Windows', { skip }, () => {
  let results: Record<string, unknown> = {};
  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-versions-'));
    using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
    await using display = await startDisplay(640, 480);
    using disk = mountSmallDisk(fullDiskMegabytes);
    const env = {
      [versionProgramVariable]: `Z:${buildVersionProgram(folder)}`,
      [smallDiskVariable]: `Z:${disk.folder}`,
    };
    const program = 'tests/programs/agent/wine/update-program.ts';
    const output = await runOnWindows(program, display.name, { env });
    results = JSON.parse(/^RESULTS (.*)$/m.exec(output)?.[1] ?? '{}') as typeof results;
  });

  for (const { name } of [...refusedReleases, ...damagedFiles])
    test(`refuses ${name}, and the version that it has starts`, () => {
      assert.deepEqual(results[name], { isRefused: true, started: '1.0.0', isLeft: false });
    });

  for (const step of ['verified', 'downloaded', 'installed', 'tested', 'idle', 'on_trial', 'switched'])
    test(`that is killed after the step "${step}" leaves a program that starts, and succeeds the next time`, () => {
      const expected =
        step === 'switched' ? { started: '1.1.0', found: 'running' } : { started: '1.0.0', found: 'none' };
      assert.deepEqual(results[step], { code: 1, ...expected, finally: '1.1.0' });
    });

  for (const [moment, time] of momentsOf(fullDiskMomentsOnWindows))
    test(`is refused if the disk is full ${time}, the version stays, and it succeeds once there is space`, () => {
      assert.deepEqual(results[`full ${moment}`], fullDiskResult(moment));
    });

  test('to a version that ends before it connects is undone at the fourth start', () => {
    assert.deepEqual(results['undone'], {
      started: ['1.1.0', '1.1.0', '1.1.0', '1.0.0', '1.0.0'],
      found: { state: 'failed', previous: 'a', version: '1.1.0' },
    });
  });
});
