/** The operator's page in a real browser: mouse, keys and clipboard towards the device. */
import assert from 'node:assert/strict';
import type { BrowserPage } from '../../../kit/browser/browser-page.ts';
import { connectConsole, toWindowPoint, startConsoleFixture } from './console-fixture.ts';
import { browser, chooseFromMenu, recordFrames, waitUntilSettled, browserTest } from './console-browser.ts';

browserTest(
  'mouse and wheel arrive at the pixel they were used on; moves may be dropped, presses never',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const device = await connectConsole(fixture);
    const received = recordFrames(device, 'pointer', 'wheel');
    const from = await toWindowPoint(fixture.page, 50, 60);
    const to = await toWindowPoint(fixture.page, 600, 300);

    await fixture.page.tab.mouse.move(from.x, from.y);
    await waitUntilSettled(fixture.page, device);
    await fixture.page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    const at = (type, buttons, button, place) => canvas.dispatchEvent(new PointerEvent(type, {
      clientX: place.x, clientY: place.y, buttons, button, pointerId: 1, pointerType: 'mouse', bubbles: true,
    }));
    canvas.setPointerCapture = () => {};
    const [from, to] = ${JSON.stringify([from, to])};
    at('pointerdown', 1, 0, from);
    for (let step = 1; step <= 50; step += 1)
      at('pointermove', 1, -1, { x: from.x + (to.x - from.x) * step / 50, y: from.y + (to.y - from.y) * step / 50 });
    at('pointermove', 3, 2, to);
    at('pointermove', 1, 2, to);
    at('pointerup', 0, 0, to);
  })()`);
    const wheel = { type: 'mouseWheel', ...to, deltaX: 0, deltaY: 100 } as const;
    await fixture.page.devtools.send('Input.dispatchMouseEvent', wheel);
    await waitUntilSettled(fixture.page, device);

    assert.deepEqual(received, [
      { kind: 'pointer', x: 50, y: 60, buttons: 0 },
      { kind: 'pointer', x: 50, y: 60, buttons: 1 },
      { kind: 'pointer', x: 600, y: 300, buttons: 1 },
      { kind: 'pointer', x: 600, y: 300, buttons: 5 },
      { kind: 'pointer', x: 600, y: 300, buttons: 1 },
      { kind: 'pointer', x: 600, y: 300, buttons: 0 },
      { kind: 'wheel', x: 600, y: 300, deltaX: 0, deltaY: 120 },
    ]);
  },
);

const press = async (
  page: BrowserPage,
  type: 'keyDown' | 'keyUp',
  code: string,
  key: string,
): Promise<unknown> =>
  page.devtools.send('Input.dispatchKeyEvent', { type, code, key, ...(key.length === 1 && { text: key }) });

browserTest(
  'keys arrive by position and meaning, characters without keys as text, and nothing stays pressed',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const device = await connectConsole(fixture);
    const received = recordFrames(device, 'key', 'text');

    await press(fixture.page, 'keyDown', 'KeyY', 'z');
    await press(fixture.page, 'keyUp', 'KeyY', 'z');
    await fixture.page.write('żółw 🐢');
    await press(fixture.page, 'keyDown', 'ShiftLeft', 'Shift');
    await fixture.page.click('[aria-label="View"]');
    await waitUntilSettled(fixture.page, device);

    assert.deepEqual(received, [
      { kind: 'key', down: true, code: 'KeyY', key: 'z' },
      { kind: 'key', down: false, code: 'KeyY', key: 'z' },
      { kind: 'text', text: 'żółw 🐢' },
      { kind: 'key', down: true, code: 'ShiftLeft', key: 'Shift' },
      { kind: 'key', down: false, code: 'ShiftLeft', key: 'Shift' },
    ]);
  },
);

browserTest(
  'pasted text is in the clipboard of the device before the keys that paste it arrive',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const device = await connectConsole(fixture);
    const received = recordFrames(device, 'key', 'clipboard');

    await press(fixture.page, 'keyDown', 'ControlLeft', 'Control');
    await fixture.page.evaluate(`(() => {
    const catcher = document.querySelector('.catcher');
    const key = (type) => new KeyboardEvent(type, { code: 'KeyV', key: 'v', ctrlKey: true, bubbles: true, cancelable: true });
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'from here');
    catcher.dispatchEvent(key('keydown'));
    catcher.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    catcher.dispatchEvent(key('keyup'));
  })()`);
    await waitUntilSettled(fixture.page, device);

    assert.deepEqual(received, [
      { kind: 'key', down: true, code: 'ControlLeft', key: 'Control' },
      { kind: 'clipboard', text: 'from here' },
      { kind: 'key', down: true, code: 'KeyV', key: 'v' },
      { kind: 'key', down: false, code: 'KeyV', key: 'v' },
    ]);
  },
);

browserTest('Ctrl+Alt+Del is sent from the menu', async () => {
  await using fixture = await startConsoleFixture(browser);
  const device = await connectConsole(fixture);
  const received = recordFrames(device, 'key');

  await chooseFromMenu(fixture.page, 'Keys', 'Ctrl+Alt+Del');
  await waitUntilSettled(fixture.page, device);

  const words = received.map((key) => `${(key as { code: string }).code} ${(key as { down: boolean }).down}`);
  assert.deepEqual(words, [
    'ControlLeft true',
    'AltLeft true',
    'Delete true',
    'Delete false',
    'AltLeft false',
    'ControlLeft false',
  ]);
});

browserTest('view only sends neither mouse nor keys', async () => {
  await using fixture = await startConsoleFixture(browser);
  const device = await connectConsole(fixture);
  const received = recordFrames(device, 'pointer', 'key');

  await chooseFromMenu(fixture.page, 'View', 'View only');
  const at = await toWindowPoint(fixture.page, 5, 5);
  await fixture.page.tab.mouse.click(at.x, at.y);
  await press(fixture.page, 'keyDown', 'KeyA', 'a');
  await waitUntilSettled(fixture.page, device);

  assert.deepEqual(received, []);
});
