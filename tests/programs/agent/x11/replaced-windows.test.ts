/** A window of the agent that is replaced on XWayland: it covers no question, loses no press, and is replaced only once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askQuestion } from '@drawbridge/agent/platform/panes/ask';
import { showBanner } from '@drawbridge/agent/platform/panes/banner';
import { paneColours } from '@drawbridge/agent/platform/panes/pane';
import { showAgentWindow } from '@drawbridge/agent/platform/linux/x11/windows/agent-window';
import { paneScreenOf } from '@drawbridge/agent/platform/linux/x11/windows/pane';
import { startDisplay, type TestDisplay } from '../../../kit/display/display.ts';
import { eventually } from '../../../kit/eventually.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('Xvfb');
const size = { width: 500, height: 300 };
const [buttonPress, buttonRelease, leftButton] = [4, 5, 1];

/** The first point of this colour. */
async function pointOf({ pixels }: TestDisplay, colour: number): Promise<{ x: number; y: number }> {
  const index = await eventually(
    async () => (await pixels()).indexOf(colour),
    (found) => found !== -1,
  );
  return { x: index % size.width, y: Math.floor(index / size.width) };
}

test('a banner that is replaced by a larger one does not cover a question', { skip }, async () => {
  await using display = await startDisplay(size.width, size.height);
  const screen = paneScreenOf(display.connection, true);
  const banner = await showBanner(screen, 'ann');
  const end = new AbortController();
  const answer = askQuestion(screen, { question: 'May bob connect?', seconds: 600, signal: end.signal });
  const allow = await pointOf(display, paneColours.green);

  banner.setText(Array.from({ length: 40 }, (_, index) => `operator ${index} with a long name`).join('\n'));
  const pixels = await display.pixels();
  end.abort();
  await answer;
  banner.close();

  assert.equal(pixels[allow.y * size.width + allow.x], paneColours.green);
});

test('a press of Stop counts although the banner is replaced before it arrives', { skip }, async () => {
  await using display = await startDisplay(size.width, size.height);
  const xtest = await display.connection.extension('xtest');
  const banner = await showBanner(paneScreenOf(display.connection, true), 'a long name of an operator');
  let presses = 0;
  banner.onStop(() => void (presses += 1));
  const stop = await pointOf(display, paneColours.red);
  await display.point(stop.x + 1, stop.y + 1);

  for (const kind of [buttonPress, buttonRelease])
    xtest.FakeInput(kind, leftButton, 0, display.connection.root, 0, 0);
  // Stop has another position in it.
  banner.setText('ann');
  await display.done();
  banner.close();

  assert.equal(presses, 1);
});

test('a window that was destroyed and then replaced is not replaced once more', { skip }, async (t) => {
  await using display = await startDisplay(size.width, size.height);
  const box = { x: 0, y: 0, width: 100, height: 50 };
  const shape = { ...box, title: 'window', background: 0, border: 0, isUnderWayland: true };
  const window = await showAgentWindow(display.connection, shape, () => {});
  t.mock.timers.enable({ apis: ['setTimeout'] });

  display.connection.client.DestroyWindow(window.id);
  await display.done();
  window.place({ ...box, width: 200 });
  const { id } = window;
  t.mock.timers.tick(500);
  window.close();

  assert.equal(window.id, id);
});
