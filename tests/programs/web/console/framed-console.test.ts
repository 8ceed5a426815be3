/** The operator's page in a frame of another site: what a covered page would confirm waits until it is visible again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import { openBrowser, type Browser } from '../../../kit/browser/browser.ts';
import type { BrowserFrame } from '../../../kit/browser/browser-page.ts';
import {
  becomes,
  clickInside,
  cover,
  reads,
  showFrame,
  uncover,
  untilDisabled,
  untilEnabled,
} from '../../../kit/browser/framed-page.ts';
import { startForeignSite } from '../../../kit/hostile/foreign-site.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { createSigningKey } from '../../session/create-signing-key.ts';
import { goLive, nextOf, openItems, startConsoleFixture, type ConsoleFixture } from './console-fixture.ts';

const skip = skipWithout('Chromium');
let browser: Browser;
before(async () => {
  // The headless shell does not report what covers an element.
  if (!skip) browser = await openBrowser({ wholeBrowser: true });
});
after(() => browser?.close());

interface FramedFixture extends ConsoleFixture {
  /** Opens the link in a frame, and connects. */
  connect(code: string): Promise<BrowserFrame>;
}

async function startFramed(): Promise<FramedFixture> {
  const fixture = await startConsoleFixture(browser);
  const { page, fakeServer } = fixture;
  const site = await startForeignSite();
  const origin = `https://127.0.0.1:${site.port}`;
  fakeServer.framedBy = origin;
  await page.goto(origin);
  return {
    ...fixture,
    async connect(code) {
      await showFrame(page, `${fakeServer.url}/c/${code}`);
      const frame = await browser.framed(page);
      await untilEnabled(frame, 'Connect');
      await clickInside(page, frame, 'Connect');
      return frame;
    },
    async [Symbol.asyncDispose]() {
      await page.close();
      await site[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

async function goLiveIn(frame: BrowserFrame, device: DeviceSession): Promise<void> {
  goLive(device);
  await becomes(frame, `document.querySelector('.tool.end')`);
}

test(
  'the new key of a device is trusted only by a click on a warning that is visible',
  { skip },
  async () => {
    await using fixture = await startFramed();
    const { page, fakeServer } = fixture;
    await goLiveIn(await fixture.connect('the-code'), await fakeServer.nextDevice());
    fakeServer.deviceKey = await createSigningKey();
    const frame = await fixture.connect('another-code');
    const trust = 'Trust the new key and connect';

    await untilEnabled(frame, trust);
    await page.evaluate(cover);
    await untilDisabled(frame, trust);
    await clickInside(page, frame, trust);
    await reads(frame, 'The button works once this page is completely visible.');
    await page.evaluate(uncover);
    await untilEnabled(frame, trust);
    assert.equal(await frame.evaluate(`document.querySelectorAll('.gate.red').length`), 1);
    await clickInside(page, frame, trust);

    await goLiveIn(frame, await fakeServer.nextDevice());
  },
);

test('a question is answered only while it is visible, and can always be cancelled', { skip }, async () => {
  await using fixture = await startFramed();
  const { page, fakeServer } = fixture;
  const frame = await fixture.connect('the-code');
  const device = await fakeServer.nextDevice();
  await goLiveIn(frame, device);
  const rebooted = nextOf(device, 'reboot');
  const ask = async (): Promise<void> => {
    await frame.evaluate(`document.querySelector('[aria-label=More]').click()`);
    const item = `${openItems}.find(({ textContent }) => textContent === 'Reboot…')`;
    await becomes(frame, item);
    await frame.evaluate(`${item}.click()`);
  };

  await ask();
  await untilEnabled(frame, 'Reboot');
  await page.evaluate(cover);
  await untilDisabled(frame, 'Reboot');
  await clickInside(page, frame, 'Reboot');
  await untilEnabled(frame, 'Cancel');
  await clickInside(page, frame, 'Cancel');
  await becomes(frame, `!document.querySelector('dialog')`);
  await page.evaluate(uncover);
  await ask();
  await untilEnabled(frame, 'Reboot');
  await clickInside(page, frame, 'Reboot');

  assert.deepEqual(await rebooted, { safe: false });
});
