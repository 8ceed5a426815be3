/** What a real browser makes of the panel's manifest, and how the window of the installed panel looks. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs } from '../../kit/browser/panel-browser.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

describe('the installed panel', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  before(
    async () =>
      void ([service, browser] = await Promise.all([startService(), openBrowser({ wholeBrowser: true })])),
  );
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  test('the browser reads the manifest with the brand of the account and finds nothing wrong with it', async () => {
    await service.account();
    const account = await service.account();
    await account.owner.call('branding/update', { name: 'Acme Help', accent: '#7a1fa2' });
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await signInAs(page, service, account, account.owner);
    await page.visit('/panel/profile');

    const { url, errors, data = '' } = await page.devtools.send('Page.getAppManifest');
    const { installabilityErrors } = await page.devtools.send('Page.getInstallabilityErrors');

    assert.deepEqual([new URL(url).pathname, errors], ['/manifest.webmanifest', []]);
    const { name, theme_color, display } = JSON.parse(data) as Record<string, string>;
    assert.deepEqual([name, theme_color, display], ['Acme Help', '#7a1fa2', 'standalone']);
    // A browser context of a test is private, and private windows install nothing.
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId),
      ['in-incognito'],
    );
    assert.deepEqual(page.violations, []);
  });

  test('the window around the page has the colours of the chosen theme', async () => {
    const account = await service.account();
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate({ dark: true });
    await signInAs(page, service, account, account.owner);
    await page.visit('/panel/profile');
    const colour = `[...document.querySelectorAll('meta[name=theme-color]')]
      .filter(({ media }) => matchMedia(media).matches).map(({ content }) => content).join()`;
    assert.equal(await page.evaluate(colour), '#171d23');

    await page.evaluate(`localStorage.setItem('drawbridge.theme', 'light')`);
    await page.visit('/panel/profile');

    assert.equal(await page.evaluate(colour), '#ffffff');
  });
});
