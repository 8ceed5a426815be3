/** Monitors of a device in windows of their own, and what the page remembers of them. */
import assert from 'node:assert/strict';
import type { Page } from 'puppeteer-core';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import { openPage, type BrowserPage } from '../../../kit/browser/browser-page.ts';
import { browser, browserTest, chooseFromMenu, recordFrames, waitUntilSettled } from './console-browser.ts';
import {
  connectConsole,
  goLive,
  nextOf,
  openItems,
  pixels,
  showLayout,
  showPicture,
  size,
  startConsoleFixture,
  toWindowPoint,
} from './console-fixture.ts';
import { uniquePattern } from './pictures.ts';

const monitor = (name: string, x: number) => ({ name, x, y: 0, width: 320, height: 400, primary: x === 0 });
const monitors = [monitor('DP-1', 0), monitor('DP-2', 320)];
const itemOf = (name: string): string => `${name} in its own window`;

/** A device with two monitors, side by side. */
function showMonitors(device: DeviceSession): void {
  const show = (current: number): void =>
    showLayout(device, { ...(current === -1 ? size : { width: 320, height: 400 }), current, monitors });
  device.on('view', ({ monitor: wanted }) => wanted !== undefined && show(wanted));
  show(0);
}

const nextPopup = async (page: BrowserPage): Promise<BrowserPage> =>
  openPage(await new Promise<Page>((resolve) => page.tab.once('popup', (tab) => resolve(tab!))));

async function openMonitor(page: BrowserPage, device: DeviceSession, name: string): Promise<BrowserPage> {
  await waitUntilSettled(page, device);
  const opened = nextPopup(page);
  await chooseFromMenu(page, 'View', itemOf(name));
  const own = await opened;
  await page.until(`document.querySelector('canvas').width === ${size.width}`);
  await showPicture(device, 7);
  await own.until(`document.querySelector('canvas')?.width === 320`);
  return own;
}

/** The window draws before it is painted: what arrived until now is shown when its next frame is over. */
const painted = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Opens the menu and closes it again. */
async function isChecked(page: BrowserPage, name: string): Promise<string> {
  await page.click('[aria-label="View"]');
  const checked = await page.until<string>(
    `${openItems}.find(({ textContent }) => textContent === '${name}')?.ariaChecked`,
  );
  await page.evaluate(`document.querySelector('.menu:popover-open').hidePopover()`);
  return checked;
}

const places = [
  [5, 7],
  [300, 390],
] as const;

browserTest('a monitor in its own window shows its part of the picture and takes input for it', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page } = fixture;
  const device = await connectConsole(fixture);
  showMonitors(device);
  const own = await openMonitor(page, device, 'DP-2');

  await own.evaluate(painted);
  assert.deepEqual(
    await pixels(own, places),
    places.map(([x, y]) => [...uniquePattern(x + 320, y)]),
  );
  const moved = nextOf(device, 'pointer');
  const { x, y } = await toWindowPoint(own, 100, 50);
  await own.tab.mouse.move(x, y);
  const { x: deviceX, y: deviceY } = await moved;
  assert.deepEqual([deviceX, deviceY], [420, 50]);
  await own.tab.mouse.down();
  await own.tab.mouse.up();
  await own.until(`document.activeElement.className === 'catcher'`);
  const typed = nextOf(device, 'key');
  await own.tab.keyboard.press('x');
  assert.equal((await typed).code, 'KeyX');
  assert.deepEqual([page.violations, own.violations], [[], []]);

  const closed = new Promise<void>((resolve) => own.tab.once('close', () => resolve()));
  await page.click('.tool.end');
  await closed;
});

browserTest('the choice of monitors is remembered for the device', async () => {
  await using fixture = await startConsoleFixture(browser);
  const { page, fakeServer } = fixture;
  const reload = async (): Promise<DeviceSession> => {
    page.tab.once('dialog', (dialog) => void dialog.accept());
    await page.tab.reload();
    await page.click('.button.primary');
    const device = await fakeServer.nextDevice();
    const view = nextOf(device, 'view');
    goLive(device);
    await view;
    return device;
  };
  const device = await connectConsole(fixture);
  showMonitors(device);
  await openMonitor(page, device, 'DP-2');

  const second = await reload();
  const [views, reopened] = [recordFrames(second, 'view'), nextPopup(page)];
  showMonitors(second);
  await waitUntilSettled(page, second);
  assert.deepEqual(views, [{ kind: 'view', monitor: -1 }]);
  assert.equal(await isChecked(page, itemOf('DP-2')), 'true');
  const own = await reopened;
  await own.until(`document.querySelector('canvas')?.width === 320`);
  await waitUntilSettled(page, second);
  await chooseFromMenu(page, 'View', '1: DP-1320 × 400');
  await page.until(`document.querySelector('canvas').width === 320`);

  const third = await reload();
  const wanted = recordFrames(third, 'view');
  showMonitors(third);
  await waitUntilSettled(page, third);
  assert.deepEqual(wanted, []);
});
