/** What the tests of the operator's page share: the browser, and a few actions in it. */
import { after, before, test } from 'node:test';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import { openBrowser, type Browser } from '../../../kit/browser/browser.ts';
import type { BrowserPage } from '../../../kit/browser/browser-page.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { openItems } from './console-fixture.ts';

const skip = skipWithout('Chromium');
export let browser: Browser;
before(async () => {
  if (!skip) browser = await openBrowser();
});
after(() => browser?.close());

export const browserTest = (name: string, run: () => Promise<void>): void => void test(name, { skip }, run);

/** All received messages of these kinds, in order. */
export function recordFrames(
  device: DeviceSession,
  ...kinds: ('pointer' | 'wheel' | 'key' | 'text' | 'view' | 'clipboard')[]
): unknown[] {
  const received: unknown[] = [];
  for (const kind of kinds) device.on(kind, (payload) => received.push({ kind, ...payload }));
  return received;
}

/** Resolves when everything the page has sent so far was received: what it sends now comes last. */
export async function waitUntilSettled(page: BrowserPage, device: DeviceSession): Promise<void> {
  const mark = (lastMark += 1);
  const answered = new Promise<void>((resolve) => {
    device.on('shown', (number) => number === mark && resolve());
  });
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
  device.send('tiles', { number: mark, copies: [], tiles: [] });
  await answered;
}

let lastMark = 1_000;

/** Opens a menu and chooses the item with this name. */
export async function chooseFromMenu(page: BrowserPage, menu: string, item: string): Promise<void> {
  await page.click(`[aria-label="${menu}"]`);
  const found = `${openItems}.find(({ textContent }) => textContent === '${item}')`;
  await page.until(found);
  await page.evaluate(`${found}.click()`);
}
