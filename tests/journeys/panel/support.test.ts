/**
 * Quick support from the panel: an operator invites with one click, the client joins in a separate browser,
 * and the panel shows what happens there.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, readPicture, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { eventually } from '../../kit/eventually.ts';
import {
  samplePixels,
  fakeScreenFlags,
  pressButtonSaying,
  waitForText,
  smallScreenScript,
} from '../sessions/join-fixture.ts';

/** The status on the card of the only invitation. */
const badge = `document.querySelector('.invitation .badge')?.innerText`;
const stands = (page: PanelPage, status: string): Promise<unknown> =>
  page.until(`${badge} === ${JSON.stringify(status)}`);

const isLit = (picture: string): boolean => /[1-9]/.test(picture.split(':')[1] ?? '');

describe('quick support from the panel', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ realTime: true }),
      openBrowser({ wholeBrowser: true, flags: fakeScreenFlags }),
    ]);
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  async function operatorAt(path: string): Promise<PanelPage> {
    const account = await service.account();
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await signInAs(page, service, account, account.owner);
    await page.visit(path);
    return page;
  }

  async function clientAt(link: string): Promise<BrowserPage> {
    const page = await browser.page();
    await page.tab.evaluateOnNewDocument(smallScreenScript);
    await page.goto(link);
    return page;
  }

  test('one click invites; the client joins, is helped and thanked, and the panel shows all of it by itself', async () => {
    const operator = await operatorAt('/panel/support');
    await operator.press('Invite a client');
    await operator.reads('Waiting for the client to open the link…');
    const link = await operator.until<string>(
      `document.querySelector('[aria-label="Or send the link"]')?.textContent`,
    );
    const code = await operator.evaluate<string>(`document.querySelector('.sharing-code .code').textContent`);
    await operator.until(`document.querySelector('dialog [aria-label="The link as a QR code"]')`);

    const client = await clientAt(link);
    await pressButtonSaying(client, 'Continue');
    await operator.reads('The client is here. You can connect.');
    await pressButtonSaying(client, 'Share my screen from this browser');
    await waitForText(client, 'You are sharing your screen');
    await operator.press('Close');
    await stands(operator, 'The client is here');
    await operator.press('Connect');
    const session = await browser.opened(operator);
    await pressButtonSaying(client, 'Allow');
    await eventually(() => samplePixels(session), isLit);
    await operator.tab.bringToFront();
    await stands(operator, 'In session');
    // Until the client's picture has arrived there is a drawing of few colours, with nothing on it.
    const { width, height } = await eventually(
      () => readPicture(operator, '.client-screen'),
      ({ colours }) => colours > 100,
    );

    await pressButtonSaying(session, 'End');
    await stands(operator, 'The client is here');
    await operator.press(`More for ${code}`);
    await operator.press('Close…');
    await operator.answer('Close the invitation');
    await operator.reads('No open invitations');
    await waitForText(client, 'Thank you!');

    assert.match(code, /^\d{3} \d{3} \d{3}$/);
    assert.deepEqual([width, height], [320, 180]);
    assert.deepEqual([operator.violations, client.violations, session.violations], [[], [], []]);
  });
});
