/**
 * The agent follows mouse and keyboard to another desktop of Windows, as for the login screen and for questions that need an
 * administrator. Under Wine a program changes the desktop; only real Windows shows whether SYSTEM may use its own.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOnWindows, skipWithoutWindows } from '../../../kit/agent/windows-program.ts';
import { startDisplay } from '../../../kit/display/display.ts';

test(
  'screen, input, banner, question and preview follow mouse and keyboard to another desktop and back',
  { skip: skipWithoutWindows() },
  async () => {
    await using display = await startDisplay(800, 600);

    const output = await runOnWindows('tests/programs/agent/wine/input-desktop-program.ts', display.name);

    const used = { isWhole: true, isAllowed: true, isStopped: true };
    assert.deepEqual(JSON.parse(/^RESULTS (.*)$/m.exec(output)![1]!), {
      isHelperEarly: false,
      there: used,
      painted: true,
      place: 'question',
      back: used,
      isGone: true,
      preview: { type: 'image/png', place: 'login' },
    });
  },
);
