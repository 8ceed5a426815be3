/** Files that are dragged out of the picture: what the page tells the device and the operator, and which offers it takes. */
import assert from 'node:assert/strict';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import type { Payload } from '@drawbridge/session/payloads';
import type { BrowserPage } from '../../../../kit/browser/browser-page.ts';
import { leavePicture, pressAndDrag } from '../../../../kit/browser/remote-input.ts';
import { browser, browserTest, waitUntilSettled } from '../console-browser.ts';
import { connectConsole, startConsoleFixture, toWindowPoint, type LiveOptions } from '../console-fixture.ts';

const hints = `[...document.querySelectorAll('.drop-hint:not([hidden])')].map((each) => each.textContent)`;
const notices = `[...document.querySelectorAll('.notices [role] > *')].map((each) => each.textContent)`;
const file = { folder: '/home/ann', name: 'a.txt', kind: 'file', size: 5 } as const;

interface Drag extends AsyncDisposable {
  page: BrowserPage;
  device: DeviceSession;
  /** What the page has told about the drag, and the files that it has asked for. */
  told: string[];
  say(message: Payload<'file_drag'>): Promise<void>;
}

/** The operator holds the button inside of the picture. */
async function startDrag(live: LiveOptions = {}): Promise<Drag> {
  const fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture, live);
  const told: string[] = [];
  device.on('file_drag', ({ is }) => told.push(is));
  device.on('file', (request) => request.do === 'get' && told.push(request.path));
  await pressAndDrag(page, { x: 300, y: 200 }, () => true);
  return {
    page,
    device,
    told,
    async say(message) {
      device.send('file_drag', message);
      await waitUntilSettled(page, device);
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

browserTest('the operator is told what will happen, and the files are asked for after the drop', async () => {
  await using drag = await startDrag();
  const { page, device, told, say } = drag;
  await leavePicture(page);
  await say({ is: 'ready', count: 2 });
  const shown = await page.evaluate(hints);
  await page.tab.mouse.up();
  await say({ is: 'dropped', files: [file] });

  assert.deepEqual(shown, ['Let go to save 2 files on your computer']);
  assert.deepEqual(await page.evaluate(hints), []);
  assert.deepEqual(await page.evaluate(notices), ['1 file could not be read on the device.']);
  await waitUntilSettled(page, device);
  assert.deepEqual(told, ['outside', '/home/ann/a.txt']);
});

browserTest('the device is told when the pointer returns, and nothing is shown any more', async () => {
  await using drag = await startDrag();
  const { page, device, told, say } = drag;
  await leavePicture(page);
  await say({ is: 'ready', count: 2 });
  const { x, y } = await toWindowPoint(page, 300, 200);
  await page.tab.mouse.move(x, y);
  await say({ is: 'ready', count: 2 });
  const shown = await page.evaluate(hints);
  await page.tab.mouse.up();
  await say({ is: 'dropped', files: [file] });
  await waitUntilSettled(page, device);

  assert.deepEqual(shown, []);
  assert.deepEqual(told, ['outside', 'inside']);
});

browserTest('the page shows why files are not taken', async () => {
  await using drag = await startDrag();
  const { page, told, say } = drag;
  await leavePicture(page);
  await say({ is: 'unable', message: 'Not today.' });
  const shown = await page.evaluate(hints);
  await page.tab.mouse.up();
  await say({ is: 'dropped', files: [file] });

  assert.deepEqual(shown, ['Not today.']);
  assert.deepEqual(await page.evaluate(hints), []);
  assert.deepEqual(told, ['outside']);
});

browserTest('a device cannot save files that the operator was not told to let go of', async () => {
  await using drag = await startDrag();
  const { page, device, told, say } = drag;
  await say({ is: 'ready', count: 1 });
  await say({ is: 'dropped', files: [file] });
  await leavePicture(page);
  await say({ is: 'dropped', files: [file] });
  await page.tab.mouse.up();
  await say({ is: 'dropped', files: [file] });
  await pressAndDrag(page, { x: 300, y: 200 }, () => true);
  await leavePicture(page);
  await say({ is: 'ready', count: 1 });
  await page.tab.mouse.up();
  await say({ is: 'dropped', files: [file, { ...file, name: 'b.txt' }] });
  await say({ is: 'dropped', files: [file] });
  await waitUntilSettled(page, device);

  assert.deepEqual(told, ['outside', 'outside']);
  assert.match(String(await page.evaluate(notices)), /You let go before the device was ready/);
});

browserTest('nothing is said without the permission for files', async () => {
  await using drag = await startDrag({ permissions: ['agent_connect', 'agent_control'] });
  const { page, device, told } = drag;
  await leavePicture(page);
  await waitUntilSettled(page, device);

  assert.deepEqual(told, []);
});
