/**
 * Several people and tabs at the panel at once: nobody is signed out, nobody undoes changes of others, and
 * frequent changes do not cause frequent requests.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freshLifetime } from '@drawbridge/contract/panel/step-up';
import type { TestAccount } from '../../kit/server/account.ts';
import { makeKeyPair } from '../../kit/server/proxies.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { eventually } from '../../kit/eventually.ts';
import { openTlsProxy, type TlsProxy } from '../../kit/server/tls-proxy.ts';

const password = 'correct horse 7';

describe('several at the panel at once', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  let proxy: TlsProxy;
  before(async () => {
    proxy = await openTlsProxy(await makeKeyPair());
    const env = { DRAWBRIDGE_PUBLIC_URL: proxy.url, DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1' };
    [service, browser] = await Promise.all([startService({ env }), openBrowser()]);
    proxy.target = service.server.config.listen.port;
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  async function enter(path: string): Promise<{ account: TestAccount; page: PanelPage }> {
    proxy.passing = () => {};
    const account = await service.account();
    await setPassword(service, account, account.owner, password);
    const page = await openPanelPage(browser, proxy.url);
    await signInAs(page, service, account, account.owner);
    await page.visit(path);
    return { account, page };
  }

  test('anyone who re-authenticates stays signed in, in every tab, however late the new cookie arrives', async () => {
    const { page } = await enter('/panel/integration');
    const other = await openPanelPage(browser, proxy.url, page);
    await other.visit('/panel/devices');
    service.advance(freshLifetime);
    const arrival = Promise.withResolvers<void>();
    let tooEarly = 0;
    proxy.passing = (path, http) => {
      if (path === '/panel/api/me' && http === 403) tooEarly += 1;
      return path === '/panel/api/me/confirm' ? arrival.promise : undefined;
    };

    await page.press('Create a key');
    await page.fill('Name', 'Backup');
    await page.answer('Create the key');
    await page.fill('Your password', password);
    await page.answer('Confirm');
    // The stream has notified both tabs; they send requests with the cookie that is no longer valid.
    await eventually(
      () => tooEarly,
      (count) => count >= 2,
    );
    arrival.resolve();

    await page.reads('It is shown only now.');
    await other.press('New group');
    await other.fill('Name', 'Berlin');
    await other.answer('Create');
    await other.until(`!document.querySelector('dialog[open]')`);
    await other.reads('Berlin');
    assert.equal(await other.evaluate('location.pathname'), '/panel/devices');
  });

  test('while changes keep arriving and responses are slow, a page shows its content and sends requests now and then', async () => {
    const { account, page } = await enter('/panel/profile');
    const { id } = await account.agent({ name: 'Lamp' });
    const rename = async (from: number, to: number): Promise<void> => {
      for (let at = from; at <= to; at++)
        await account.owner.call('agents/update', { id, name: `Lamp ${at}` });
    };
    await page.visit(`/panel/team/people/${account.owner.email}`);
    await page.reads('Lamp');
    const requests: number[] = [];
    const slow = Promise.withResolvers<void>();
    proxy.passing = (path) => {
      if (!path.startsWith('/panel/api/access/person')) return;
      requests.push(performance.now());
      return requests.length === 1 ? slow.promise : undefined;
    };
    await page.evaluate(`globalThis.__loads = 0, new MutationObserver(() => {
      if (document.querySelector('main .spinner')) __loads += 1;
    }).observe(document.body, { childList: true, subtree: true })`);

    await rename(1, 10);
    await eventually(
      () => requests.length,
      (count) => count === 1,
    );
    await rename(11, 30);
    assert.equal(requests.length, 1, 'one request at a time');
    const answeredAt = performance.now();
    slow.resolve();
    await page.until(`/Lamp \\d/.test(document.body.innerText)`);
    await rename(31, 40);
    await page.reads('Lamp 40');

    // The pause after a response is twice the time it took, at most thirty seconds.
    const [askedAt, nextAt] = requests as [number, number];
    assert.ok(nextAt - answeredAt >= Math.min(2 * (answeredAt - askedAt), 30_000), requests.join());
    assert.equal(await page.evaluate('__loads'), 0);
  });

  test('new devices are requested when one enrols, is approved or refused, not when any other changes', async () => {
    const { account, page } = await enter('/panel/profile');
    const { id } = await account.agent({ name: 'Lamp' });
    let asked = 0;
    proxy.passing = (path) => void (path === '/panel/api/v1/agents/pending' && (asked += 1));
    await page.visit('/panel/devices');
    const previous = await eventually(
      () => asked,
      (count) => count > 0,
    );

    await account.owner.call('agents/update', { id, name: 'Torch' });
    await page.reads('Torch');
    assert.equal(asked, previous);
    await account.owner.call('agents/logout', { id });

    await eventually(
      () => asked,
      (count) => count === previous + 1,
    );
  });

  test('saving the settings of a device changes only what was changed here', async () => {
    const { account, page } = await enter('/panel/profile');
    const [berlin, hamburg] = [await account.group('Berlin'), await account.group('Hamburg')];
    const { id } = await account.agent({ name: 'Lamp', groupId: berlin });
    await page.visit(`/panel/devices/${id}?tab=settings`);

    await page.fill('Name', 'Desk lamp');
    await account.owner.call('groups/agent/insert', { id: hamburg, agent_id: id });
    await page.until(`document.querySelector('[name=id]').selectedOptions[0].text === 'Hamburg'`);
    await page.press('Save');
    await page.reads('Saved.');
    await page.choose('Group', 'Berlin');
    await account.owner.call('agents/update', { id, name: 'Torch' });
    await page.until(`document.querySelector('h1').textContent === 'Torch'`);
    await page.press('Save');
    await page.until(`document.querySelector('main [type=submit]').disabled`);

    const { name, group } = (await account.owner.call('agents/info', { agent_id: id })).body['data'];
    assert.deepEqual([name, group], ['Torch', 'Berlin']);
  });

  test('notes that someone else wrote meanwhile are shown and not overwritten', async () => {
    const { account, page } = await enter('/panel/profile');
    const { id } = await account.agent({ name: 'Lamp' });
    const notes = async () =>
      (await account.owner.call('agents/notes', { agent_id: id })).body['data'].notes as string;
    await page.visit(`/panel/devices/${id}`);

    await page.press('Edit');
    await page.fill('What others should know about this device', 'Mine');
    await account.owner.call('agents/notes/update', { agent_id: id, notes: 'The key is with Ann.' });
    await page.answer('Save');
    await page.until(
      `document.querySelector('dialog [role=alert]')?.innerText.includes('The key is with Ann.')`,
    );
    assert.equal(await notes(), 'The key is with Ann.');
    await page.answer('Save');
    await page.until(`!document.querySelector('dialog[open]')`);

    assert.equal(await notes(), 'Mine');
  });
});
