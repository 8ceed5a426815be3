/** Files and terminals of the agent: one suite for Linux and Windows. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDryRun } from '@drawbridge/agent/platform/execute';
import { linux } from '@drawbridge/agent/platform/linux';
import { runOnWindows, skipWithoutWindows } from '../../kit/agent/windows-program.ts';
import { startDisplay } from '../../kit/display/display.ts';
import { exerciseAccess, type AccessReport } from './exercise-access.ts';

async function onLinux(): Promise<AccessReport> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-access-'));
  try {
    const habits = { folder, command: 'echo from-$((6 * 7))', printed: 'from-42' };
    return await exerciseAccess(linux(createDryRun(() => {})), habits);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function onWine(): Promise<AccessReport> {
  await using display = await startDisplay(800, 600);
  const output = await runOnWindows('tests/suites/platform/access-program.ts', display.name);
  return JSON.parse(/^RESULTS (.*)$/m.exec(output)?.[1] ?? '{}') as AccessReport;
}

const systems: { name: string; skip: string | false; run(): Promise<AccessReport> }[] = [
  { name: 'Linux', skip: false, run: onLinux },
  { name: 'Windows under Wine', skip: skipWithoutWindows(), run: onWine },
];

for (const { name, skip, run } of systems)
  test(
    `${name}: an upload resumes, wrong names are refused, and a terminal runs commands`,
    { skip },
    async () => {
      assert.deepEqual(await run(), {
        resumedAt: 50_000,
        isEqual: true,
        listed: [{ name: 'renamed.bin', kind: 'file' }],
        refusals: [
          'A file or folder with that name already exists.',
          'There is no file or folder with that name.',
        ],
        left: 0,
        hasPrinted: true,
        ended: 'The shell exited with code 0.',
      });
    },
  );
