/** The way in, in a real browser: a link works once and tells nothing afterwards, and a device with another key is not believed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lacking, leave, openWorkplace, operatorPage, type Workplace } from '../kit/workplace.ts';

const skip = lacking();
let place: Workplace;
before(async () => {
  if (!skip) place = await openWorkplace();
});
after(() => place?.[Symbol.asyncDispose]());

const story = (name: string, tell: () => Promise<void>): void => void test(name, { skip }, tell);

/** All that somebody sees of a link: before the button is pressed, and after. */
async function seenBehind(url: string): Promise<string[]> {
  const { text } = await place.service.testClient.send({ path: new URL(url).pathname });
  const page = await operatorPage(place.browser);
  await page.goto(url);
  const first = await page.until<string>(`document.querySelector('.card')?.innerText`);
  await page.click('.button.primary');
  await page.until(`document.querySelector('.gate h1')?.textContent === 'The session did not begin'`);
  const then = await page.evaluate<string>('document.body.innerText');
  await page.send('Page.close');
  return [text, first, then];
}

story('a link that was used looks like one that never was', async () => {
  const used = await place.link();
  const page = await operatorPage(place.browser);
  await page.goto(used);
  await page.click('.button.primary');
  await page.until(`document.querySelector('canvas.screen')`);
  await leave(page);

  const [one, other] = [await seenBehind(used), await seenBehind(used.replace(/[^/]+$/, 'A'.repeat(43)))];

  assert.deepEqual(one, other);
  assert.match(one.at(-1)!, /This link does not work: it was already used, has expired or never existed\./);
});

story('whoever only looks at a link does not use it up', async () => {
  const url = await place.link();
  for (let times = 0; times < 3; times += 1)
    await place.service.testClient.send({ path: new URL(url).pathname });
  const first = await operatorPage(place.browser);
  await first.goto(url);
  await first.send('Page.close');

  const page = await operatorPage(place.browser);
  await page.goto(url);
  await page.click('.button.primary');
  await page.until(`document.querySelector('canvas.screen')`);

  await leave(page);
});

story('a device that shows another key than before is not connected to', async () => {
  const page = await place.connect();
  const pin = `drawbridge.device.${place.device}`;
  const known = await page.evaluate<string>(`localStorage.getItem('${pin}')`);
  await page.click('[aria-label="End the session"]');
  await page.until(`document.querySelector('.gate h1')?.textContent === 'The session has ended'`);
  await page.evaluate(`localStorage.setItem('${pin}', '${known.replace(/^.{4}/, 'AAAA')}')`);

  await page.goto(await place.link());
  await page.click('.button.primary');
  await page.until(`document.querySelector('.gate.red h1')?.textContent === 'This device has a new key'`);
  const isShown = await page.evaluate<boolean>(`document.querySelector('canvas.screen') !== null`);
  await page.click('.button.primary');

  await page.until(`document.querySelector('.gate h1')?.textContent === 'The session did not begin'`);
  assert.equal(isShown, false);
  await page.send('Page.close');
});
