/**
 * The operator's URL in a real browser: a technician who is signed in uses it as themselves, from whatever
 * page they came.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildWeb } from '../../../scripts/build-web.ts';
import type { TestPerson, TestAccount } from '../../kit/server/account.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { signInAs } from '../../kit/browser/panel-browser.ts';
import { freePort } from '../../kit/free-port.ts';
import { eventually } from '../../kit/eventually.ts';
import { startForeignSite, type ForeignSite } from '../../kit/hostile/foreign-site.ts';

/** All these names resolve to this machine. */
const names = '--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost';

describe('the operator’s URL', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  let foreignSite: ForeignSite;
  let account: TestAccount;
  let ann: TestPerson;
  before(async () => {
    await buildWeb();
    const port = await freePort();
    const env = {
      DRAWBRIDGE_LISTEN: `127.0.0.1:${port}`,
      DRAWBRIDGE_PUBLIC_URL: `https://panel.house.test:${port}`,
    };
    [service, browser, foreignSite] = await Promise.all([
      startService({ env }),
      openBrowser({ wholeBrowser: true, flags: [names] }),
      startForeignSite(),
    ]);
    account = await service.account();
    ann = await account.member([
      { type: 'quick_support', permissions: ['quick_support_technical', 'agent_connect'] },
    ]);
  });
  after(async () => {
    await browser.close();
    await foreignSite[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  /** A URL that the owner was shown and someone without an account has used. */
  async function usedUrl(): Promise<string> {
    const { connect_url } = (await account.owner.call('support/create')).body['data'];
    await service.testClient.send({ method: 'POST', path: new URL(connect_url).pathname });
    return connect_url;
  }
  /** Polls, because the page that is asked may just be navigating away. */
  const shows = (page: BrowserPage, expression: string): Promise<unknown> =>
    eventually(
      () => page.evaluate<boolean>(expression).catch(() => false),
      (isShown) => isShown,
    );
  async function connect(page: BrowserPage): Promise<string> {
    await shows(page, `document.querySelector('button')?.innerText === 'Connect'`);
    await page.click('button');
    const isOver = `location.pathname.startsWith('/c/') || document.body.innerText.includes('does not work')`;
    await shows(page, isOver);
    return page.evaluate<string>('location.pathname.slice(0, 3)');
  }
  async function followFromElsewhere(page: BrowserPage, url: string): Promise<void> {
    await page.goto(`https://tickets.elsewhere.test:${foreignSite.port}/`);
    await page.evaluate(`setTimeout(() => (location.href = ${JSON.stringify(url)})), undefined`);
  }
  const lastBy = async (): Promise<unknown> =>
    (await account.owner.call('audit/list', { operation: 'link/operator', limit: 1 })).body['data'][0].email;

  test('opens for a signed-in technician who types it, though it was used', async () => {
    const page = await browser.page();
    await signInAs(page, service, account, ann);

    await page.goto(await usedUrl());

    assert.equal(await connect(page), '/c/');
    assert.equal(await lastBy(), ann.email);
  });

  test('opens from a page of another site too, where the browser first withholds the sign-in', async () => {
    const page = await browser.page();
    await signInAs(page, service, account, ann);

    await followFromElsewhere(page, await usedUrl());

    assert.equal(await connect(page), '/c/');
    assert.equal(await lastBy(), ann.email);
  });

  test('tells anyone who is not signed in that it does not open', async () => {
    const page = await browser.page();

    await followFromElsewhere(page, await usedUrl());

    assert.equal(await connect(page), '/o/');
  });
});
