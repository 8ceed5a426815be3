/**
 * The panel loses its server: it says so, and when the server is back it continues by itself, with what
 * changed meanwhile.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createPersonAt } from '../../kit/server/person-at.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage } from '../../kit/browser/panel-browser.ts';
import { firstApiKey, startServerProcess } from '../../kit/process.ts';

const lost = 'The connection to the server was lost.';

describe('a panel without its server', { skip: skipWithout('Chromium') }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser({ wholeBrowser: true });
  });
  after(() => browser.close());

  test('says that the connection is lost, refuses actions, and recovers by itself, still signed in', async (context) => {
    const first = await startServerProcess();
    const { folder, url } = first;
    context.after(async () => {
      await first.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    const key = firstApiKey(first);
    const page = await openPanelPage(browser, url);
    await page.goto(/Sign-in link.*:\s+(\S+)/.exec(first.output())![1]!);
    await page.press('Sign in');
    await page.fill('New password', 'correct horse 7');
    await page.press('Set the password');
    await page.until(`document.querySelector('nav[aria-label="Main menu"]')`);
    await page.visit('/panel/devices');
    await page.press('New group');
    await page.fill('Name', 'Berlin');

    await first.end('SIGKILL');
    await page.reads(lost);
    await page.press('Create');
    await page.reads('The server does not answer.');
    const again = await startServerProcess({}, { folder, port: Number(new URL(url).port) });
    context.after(() => again.end('SIGKILL'));
    await createPersonAt(url, key, folder).call('groups/create', { name: 'Hamburg' });
    await page.until(`!document.body.innerText.includes(${JSON.stringify(lost)})`);
    await page.press('Create');
    await page.until(`!document.querySelector('dialog[open]')`);
    await page.reads('Hamburg');
    await page.reads('Berlin');

    assert.deepEqual(page.violations, []);
  });
});
