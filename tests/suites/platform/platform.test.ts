/** The platforms of the agent: one suite for each desktop that the machine has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDryRun } from '@drawbridge/agent/platform/execute';
import { linux } from '@drawbridge/agent/platform/linux';
import { unsupported } from '@drawbridge/agent/platform/unsupported';
import { runOnWindows, skipWithoutWindows } from '../../kit/agent/windows-program.ts';
import { startDisplay } from '../../kit/display/display.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { exercisePlatform, texts, type PlatformReport } from './exercise-platform.ts';
import { openGnome, openSway, openVnc, openX11 } from './linux-programs.ts';

const size = { width: 1_000, height: 600 };

const onLinux = (open: typeof openX11) => async (): Promise<PlatformReport> => {
  await using desktop = await open(size);
  return await exercisePlatform(linux(createDryRun(() => {})), desktop.program);
};

async function onWine(): Promise<PlatformReport> {
  await using display = await startDisplay(size.width, size.height);
  const output = await runOnWindows('tests/suites/platform/notepad-program.ts', display.name);
  return JSON.parse(/^RESULTS (.*)$/m.exec(output)?.[1] ?? '{}') as PlatformReport;
}

const noPrograms = skipWithout('programs of a desktop');

const desktops: { name: string; os: string; skip: string | false; run(): Promise<PlatformReport> }[] = [
  { name: 'X11', os: 'linux', skip: skipWithout('Xvfb') || noPrograms, run: onLinux(openX11) },
  { name: 'a VNC server', os: 'linux', skip: skipWithout('Xtigervnc') || noPrograms, run: onLinux(openVnc) },
  { name: 'sway', os: 'linux', skip: skipWithout('sway'), run: onLinux(openSway) },
  { name: 'GNOME', os: 'linux', skip: skipWithout('GNOME'), run: onLinux(openGnome) },
  { name: 'Windows under Wine', os: 'win', skip: skipWithoutWindows(), run: onWine },
];

for (const { name, os, skip, run } of desktops)
  test(`${name}: facts, monitors, screen, keys, pointer and clipboard work alike`, { skip }, async () => {
    assert.deepEqual(await run(), {
      os,
      isNamed: true,
      size,
      monitors: [true],
      preview: 'image/png',
      isShown: true,
      isChangeSeen: true,
      typed: texts.typed,
      isPointed: true,
      fromDevice: texts.typed,
      fromOperator: texts.pasted,
    });
  });

test('macOS: the machine is known, and everything else is refused with the way that there is', async () => {
  const platform = unsupported('darwin');

  assert.equal((await platform.facts()).os, 'mac');
  for (const use of [platform.desktop(), platform.files(), platform.preview(320)])
    await assert.rejects(use, /does not support macOS\. Its user can share the screen in the browser/);
});
