/**
 * The first minutes of a new owner: from the link that the server prints to a device that is connected to,
 * wide and narrow.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { EmulationOptions } from '../../kit/browser/any-page.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { startAgentProcess, startServerProcess, type ServerProcess } from '../../kit/process.ts';

const skip = skipWithout('Chromium');
const looks: Record<string, EmulationOptions> = {
  'on a wide screen': { width: 1_280, height: 800 },
  'on a telephone': { width: 390, height: 844, phone: true },
};

const signInLink = (server: ServerProcess): string => /Sign-in link.*:\s+(\S+)/.exec(server.output())![1]!;

/** Tabs that the page opens are only recorded. */
const watchTabs = `globalThis.__tabs = [];
  globalThis.open = () => ({ location: { replace: (address) => __tabs.push(address) }, close() {} });`;

describe('the first minutes with the panel', { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  async function begin(look: EmulationOptions): Promise<{ server: ServerProcess; page: PanelPage }> {
    const server = await startServerProcess();
    const page = await openPanelPage(browser, server.url);
    await page.emulate(look);
    return { server, page };
  }

  async function end(server: ServerProcess): Promise<void> {
    await server.end('SIGKILL');
    rmSync(server.folder, { recursive: true, force: true });
  }

  for (const [name, look] of Object.entries(looks))
    test(`from the first link to the first device, ${name}`, async (context) => {
      const { server, page } = await begin(look);
      context.after(() => end(server));

      await page.goto(signInLink(server));
      await page.press('Sign in');
      await page.fill('New password', 'correct horse 7');
      await page.press('Set the password');
      await page.press('Add a device');
      await page.press('Create the command');
      await page.until(`/dbe1_[\\w.-]+/.test(document.body.innerText)`);
      const [token] = /dbe1_[\w.-]+/.exec(await page.text())!;
      await using agent = startAgentProcess(server.url, token);
      await page.reads(' is here');
      await page.evaluate(watchTabs);
      await page.press('Connect');
      const opened = await page.until<string>('__tabs[0]');

      await agent.until(/connected/);
      assert.match(opened, /^https:\/\/\S+\/c\/[\w-]+$/);
      assert.deepEqual([page.violations, page.errors.filter((each) => !/403/.test(each))], [[], []]);
    });

  test('the link works once; the password signs in again, and the requested page is shown', async (context) => {
    const { server, page } = await begin(looks['on a wide screen']!);
    context.after(() => end(server));
    const link = signInLink(server);
    await page.goto(link);
    await page.press('Sign in');
    await page.fill('New password', 'correct horse 7');
    await page.press('Set the password');
    await page.reads('Quick support');
    const other = await openPanelPage(browser, server.url);

    await other.goto(link);
    await other.press('Sign in');
    await other.reads('This link does not work');
    await other.visit('/panel/integration');
    await other.fill('E-mail address', 'owner@localhost');
    await other.fill('Password', 'correct horse 7');
    await other.press('Sign in');
    await other.reads('API keys');

    assert.equal(await other.evaluate('location.pathname'), '/panel/integration');
  });
});
