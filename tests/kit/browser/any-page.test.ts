/** What the browsers of the tests record of a page, and how they act on it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import type { AnyBrowser, AnyPage } from './any-page.ts';
import { openBrowser } from './browser.ts';
import { openFirefox } from './firefox.ts';
import { eventually } from '../eventually.ts';
import { skipWithout } from '../requirements.ts';

const script = `console.error('a printed error');
  fetch('/missing');
  setTimeout(() => { throw new Error('an uncaught error'); });`;

const bodies: Record<string, string> = {
  '/': '<!doctype html><script src="/app.js"></script><p style="color: red">Hello</p><input>',
  '/app.js': script,
};

const server = createServer(await createSelfSigned(['localhost'], new Date()), (request, response) => {
  const body = bodies[request.url!];
  response.setHeader('content-type', request.url === '/' ? 'text/html' : 'text/javascript');
  response.setHeader('content-security-policy', "default-src 'self'; style-src 'self'");
  response.writeHead(body === undefined ? 404 : 200).end(body);
});
let url: string;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://localhost:${(server.address() as AddressInfo).port}/`;
});
after(() => {
  server.close();
  server.closeAllConnections();
});

const expectedErrors = [
  /the server responded with a status of 404.*\/missing/,
  /a printed error/,
  /an uncaught error/,
  /Content.Security.Policy/,
];

const browsers: [name: 'Chromium' | 'Firefox', open: () => Promise<AnyBrowser<AnyPage>>][] = [
  ['Chromium', () => openBrowser({ wholeBrowser: true })],
  ['Firefox', openFirefox],
];

for (const [name, open] of browsers)
  describe(`a page in ${name}`, { skip: skipWithout(name) }, () => {
    let browser: AnyBrowser<AnyPage>;
    before(async () => void (browser = await open()));
    after(() => browser?.close());

    test('records requests, errors and what its policy has blocked', async () => {
      const page = await browser.page();

      await page.goto(url);
      const { requests, errors, violations } = page;
      await eventually(
        () => ({ requests, errors, violations }),
        () =>
          expectedErrors.every((error) => errors.some((each) => error.test(each))) && violations.length > 0,
      );

      const paths = requests.map((each) => each.slice(url.length)).toSorted();
      assert.deepEqual(
        paths.filter((each) => each !== 'favicon.ico'),
        ['', 'app.js', 'missing'],
      );
      for (const error of expectedErrors)
        assert.equal(errors.filter((each) => error.test(each)).length, 1, `${error}: ${errors.join('\n')}`);
      assert.equal(violations.length, 1);
      assert.match(violations[0]!, /style-src/);
    });

    test('takes clicks and text', async () => {
      const page = await browser.page();
      await page.goto(url);

      for (const text of ['grüezi', ' 42']) await page.type('input', text);

      assert.equal(await page.evaluate(`document.querySelector('input').value`), 'grüezi 42');
    });

    test('clicks again on an element that has moved away before the press', async () => {
      const page = await browser.page();
      await page.goto(url);
      await page.evaluate(`addEventListener('pointermove', () => {
        document.querySelector('input').before(document.createElement('hr'), document.createElement('hr'));
      }, { once: true })`);

      await page.click('input');

      assert.equal(await page.evaluate(`document.activeElement.localName`), 'input');
    });
  });

describe('a page in Chromium', { skip: skipWithout('Chromium') }, () => {
  test('may open a tab only by hand; the tab tells what was blocked before a test took it', async () => {
    await using browser = await openBrowser({ wholeBrowser: true });
    const page = await browser.page();
    await page.goto(url);

    const alone = await page.evaluate(`open('/') === null`);
    await page.byHand(`open('/')`);
    const tab = await browser.opened(page);
    await tab.until(`document.readyState === 'complete'`);
    await eventually(
      () => tab.violations,
      (violations) => violations.length === 1,
    );

    assert.equal(alone, true);
  });
});
