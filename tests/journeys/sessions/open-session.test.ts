/**
 * Opening a session in a real browser: a link works once and reveals nothing afterwards, and a device with
 * another key is rejected.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  missingPrograms,
  endSession,
  openDesktopFixture,
  openOperatorPage,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';

const skip = missingPrograms();
let fixture: DesktopFixture;
before(async () => {
  if (!skip) fixture = await openDesktopFixture();
});
after(() => fixture?.[Symbol.asyncDispose]());

const browserTest = (name: string, run: () => Promise<void>): void => void test(name, { skip }, run);

/** Everything a person sees of a link: what the server sends, and what the page makes of it. */
async function seenBehind(url: string): Promise<string[]> {
  const { text } = await fixture.service.testClient.send({ path: new URL(url).pathname });
  const page = await openOperatorPage(fixture.browser);
  await page.goto(url);
  const shown = await page.until<string>(`document.querySelector('.card')?.innerText`);
  await page.close();
  return [text, shown];
}

browserTest('a used link looks like one that never existed', async () => {
  const used = await fixture.link();
  const page = await openOperatorPage(fixture.browser);
  await page.goto(used);
  await page.click('.button.primary');
  await page.until(`document.querySelector('canvas.screen')`);
  await endSession(page);

  const [one, other] = [await seenBehind(used), await seenBehind(used.replace(/[^/]+$/, 'A'.repeat(43)))];

  assert.deepEqual(one, other);
  assert.match(one.at(-1)!, /This link does not work\s+It was already used, has expired or never existed\./);
});

browserTest('viewing a link does not use it up', async () => {
  const url = await fixture.link();
  for (let times = 0; times < 3; times += 1)
    await fixture.service.testClient.send({ path: new URL(url).pathname });
  const first = await openOperatorPage(fixture.browser);
  await first.goto(url);
  await first.close();

  const page = await openOperatorPage(fixture.browser);
  await page.goto(url);
  await page.click('.button.primary');
  await page.until(`document.querySelector('canvas.screen')`);

  await endSession(page);
});

browserTest('a device with another key than before is not connected to', async () => {
  const page = await fixture.connect();
  const pin = `drawbridge.device.${fixture.device}`;
  const known = await page.evaluate<string>(`localStorage.getItem('${pin}')`);
  await page.click('[aria-label="End the session"]');
  await page.until(`document.querySelector('.gate h1')?.textContent === 'The session has ended'`);
  await page.evaluate(`localStorage.setItem('${pin}', '${known.replace(/^.{4}/, 'AAAA')}')`);

  await page.goto(await fixture.link());
  await page.click('.button.primary');
  await page.until(`document.querySelector('.gate.red h1')?.textContent === 'This device has a new key'`);
  const isShown = await page.evaluate<boolean>(`document.querySelector('canvas.screen') !== null`);
  await page.click('.button.primary');

  await page.until(`document.querySelector('.gate h1')?.textContent === 'The session did not begin'`);
  assert.equal(isShown, false);
  await page.close();
});
