/** The owner creates a token for an identity provider in the panel, sees what it did, and removes it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openProvider } from '../../provisioning/scim-provider.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { oktaCreate } from '../../provisioning/okta-requests.ts';

describe('provisioning in the panel', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startService({ realTime: true }), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  test('a token is created, shown once, used and removed', async () => {
    const account = await service.account();
    const page: PanelPage = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate({ width: 1_280, height: 800 });
    await signInAs(page, service, account, account.owner);
    await page.visit('/panel/team/provisioning');
    await page.reads('No tokens yet');
    await page.reads('/scim/v2');

    await page.press('Create a token');
    await page.fill('Name', 'Okta');
    await page.press('Create the token');
    await page.reads('The token is ready');
    const [token] = /\b[A-Za-z0-9]{64}\b/.exec(await page.text())!;
    await page.press('Done');
    const provider = openProvider(service.testClient, token);
    const created = await provider.send('POST', '/Users', oktaCreate('ann@example.com', '00u'));
    await page.reads('1 person');
    await page.reads('just now');
    const shown = await page.text();
    await page.press('Remove Okta');
    await page.press('Remove the token');
    await page.reads('No tokens yet');
    const refused = await provider.send('GET', '/Users');

    assert.equal(created.http, 201);
    assert.ok(!shown.includes(token), 'the token is shown again');
    assert.equal(refused.http, 401);
  });
});
