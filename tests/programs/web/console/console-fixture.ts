/** The operator's page in a real browser, with a device that the test plays: the common setup. */
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import type { Payload } from '@drawbridge/session/payloads';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Browser } from '../../../kit/browser/browser.ts';
import type { AnyPage, EmulationOptions } from '../../../kit/browser/any-page.ts';
import type { BrowserPage } from '../../../kit/browser/browser-page.ts';
import { buildPages } from '../page-files.ts';
import { uniquePattern, png } from './pictures.ts';
import { allPermissions, startFakeServer, type FakeServer } from '../fake-server.ts';

export const size = { width: 640, height: 400 };

/** The items of the menu that is open; a closed one keeps its last items. */
export const openItems = `[...document.querySelectorAll('.menu:popover-open .menu-item')]`;

export interface ConsoleFixture extends AsyncDisposable {
  fakeServer: FakeServer;
  page: BrowserPage;
}

export async function startConsoleFixture(
  browser: Browser,
  look: EmulationOptions = {},
): Promise<ConsoleFixture> {
  await buildPages();
  const fakeServer = await startFakeServer();
  const page = await browser.page();
  await page.emulate({ width: 1_280, height: 800, ...look });
  return {
    fakeServer,
    page,
    [Symbol.asyncDispose]: () => fakeServer[Symbol.asyncDispose](),
  };
}

export interface LiveOptions {
  recording?: boolean;
  unable?: Record<string, string>;
  permissions?: string[];
  os?: 'linux' | 'win';
}

export function goLive(
  device: DeviceSession,
  { recording = false, unable = {}, permissions, os = 'linux' }: LiveOptions = {},
): void {
  device.sendState({
    phase: 'live',
    message: '',
    permissions: permissions ?? allPermissions,
    unable,
    recording,
    os,
    home: '/home/reception',
  });
}

/** The participants, as the device reports them: the operator, and whether they blacked out the screen. */
export const tellPeople = (device: DeviceSession, shield?: boolean): boolean =>
  device.send('people', {
    people: [
      { seat: 1, name: 'Olga Operator', driver: false, you: true, ...(shield !== undefined && { shield }) },
    ],
  });

export function showLayout(device: DeviceSession, more: Partial<Payload<'layout'>> = {}): void {
  const primary = { name: 'DP-1', x: 0, y: 0, ...size, primary: true };
  device.send('layout', { ...size, current: 0, monitors: [primary], codec: 'vp8', sizes: [], ...more });
}

/** Sends the whole picture and waits until it is shown. */
export async function showPicture(device: DeviceSession, number = 1): Promise<void> {
  const shown = nextOf(device, 'shown');
  const image = png(size.width, size.height, uniquePattern);
  device.send('tiles', { number, copies: [], tiles: [{ x: 0, y: 0, image }] });
  await shown;
}

export function nextOf<Kind extends FrameKindName>(
  device: DeviceSession,
  kind: Kind,
): Promise<Payload<Kind>> {
  return new Promise((resolve) => {
    const stop = device.on(kind, (payload) => {
      stop();
      resolve(payload);
    });
  });
}

/** Presses the button, and plays the device until the operator sees its screen. */
export async function connectConsole(
  { fakeServer, page }: { fakeServer: FakeServer; page: AnyPage },
  live: LiveOptions = {},
): Promise<DeviceSession> {
  await page.goto(`${fakeServer.url}/c/the-code`);
  await page.click('.button.primary');
  const device = await fakeServer.nextDevice();
  const view = nextOf(device, 'view');
  goLive(device, live);
  await view;
  showLayout(device);
  await showPicture(device);
  return device;
}

/** The point of the window that shows a pixel of the device. */
export const toWindowPoint = (page: BrowserPage, x: number, y: number): Promise<{ x: number; y: number }> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    const box = canvas.getBoundingClientRect();
    return {
      x: box.left + (${x} + 0.5) * box.width / canvas.width,
      y: box.top + (${y} + 0.5) * box.height / canvas.height,
    };
  })()`);

/** The colours of the canvas at these positions. */
export const pixels = (
  page: BrowserPage,
  places: readonly (readonly [number, number])[],
): Promise<number[][]> =>
  page.evaluate(`(() => {
    const context = document.querySelector('canvas').getContext('2d');
    return ${JSON.stringify(places)}.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)]);
  })()`);
