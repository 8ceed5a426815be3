/**
 * Navigation in the panel: where the keyboard focus goes, what back and forward show, what stays visible
 * while the next page loads, and how refusals are shown.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must, type TestAccount } from '../../kit/server/account.ts';
import { accessibilityProblems } from '../../kit/browser/accessibility.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { setPassword } from '../../kit/server/panel.ts';

const wide = { width: 1_280, height: 800 };
const active = 'document.activeElement';
const heading = `${active}.tagName === 'H1' && ${active}.innerText`;
const menuButton = `document.querySelector('[aria-controls=main-menu]')`;
const isMenuOpen = `${menuButton}.getAttribute('aria-expanded') === 'true'`;
const rows = `[...document.querySelectorAll('[role=rowgroup] [role=row] a')].map((each) => each.innerText)`;
const refusal = `document.querySelector('.notices [role=alert] .notice')`;

describe('navigation in the panel', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startService({ realTime: true }), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  async function enter(path: string, given?: TestAccount): Promise<PanelPage> {
    const account = given ?? (await service.account());
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate(wide);
    await signInAs(page, service, account, account.owner);
    await page.visit(path);
    return page;
  }

  /** Requests that are held back until they are released. */
  async function hold(
    page: PanelPage,
    part: string,
  ): Promise<{ count(): number; letGo(): Promise<unknown> }> {
    let count = 0;
    page.devtools.on('Fetch.requestPaused', () => void (count += 1));
    await page.devtools.send('Fetch.enable', { patterns: [{ urlPattern: `*/panel/api/${part}*` }] });
    return { count: () => count, letGo: () => page.devtools.send('Fetch.disable') };
  }

  test('the focus moves to the heading of another page, but not on the first page or another view of the same page', async () => {
    const account = await service.account();
    await account.agent({ name: 'Lamp' });
    const page = await enter('/panel/devices', account);
    assert.equal(await page.evaluate(`${active}.tagName`), 'BODY');

    await page.evaluate(`document.querySelector('nav a[href="/panel/team"]').focus()`);
    await page.tab.keyboard.press('Enter');
    await page.until(`location.pathname.startsWith('/panel/team') && (${heading})`);
    const title = await page.evaluate<string>(heading);
    await page.tab.keyboard.press('Tab');
    assert.equal(await page.evaluate(`${active}.closest('main') !== null`), true);
    await page.evaluate('history.back()');
    await page.until(`(${heading}) === 'Devices'`);
    await page.until(`document.querySelector('[type=search]')`);
    await page.evaluate(`document.querySelector('[type=search]').focus()`);
    await page.write('lamp');
    await page.until(`location.search === '?q=lamp'`);

    assert.notEqual(title, 'Devices');
    assert.equal(await page.evaluate(`${active}.type`), 'search');
  });

  test('a dialog that is opened as soon as a page is shown stays open', async () => {
    const page = await enter('/panel/devices');
    // The click comes before the next frame: no person is that fast, but a busy browser is that slow.
    const isOpened = await page.evaluate<boolean>(`(async () => {
      const button = () => [...document.querySelectorAll('main button')]
        .find((each) => each.innerText.trim() === 'New department');
      history.pushState(null, '', '/panel/team/departments');
      dispatchEvent(new PopStateEvent('popstate'));
      while (!button()) await new Promise((resolve) => queueMicrotask(resolve));
      button().click();
      for (let frame = 0; frame < 5; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      return document.querySelector('dialog[open]') !== null;
    })()`);
    assert.ok(isOpened);
  });

  test('after signing in the focus is on the heading of the requested page', async () => {
    const account = await service.account();
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.visit('/panel/profile');
    await page.fill('E-mail address', account.owner.email);
    await page.fill('Password', 'correct horse 7');
    await page.press('Sign in');

    await page.until(`(${heading}) === 'Profile'`);
  });

  test('on a narrow page the menu is opened, walked through and closed with keys alone', async () => {
    const page = await enter('/panel/profile');
    await page.emulate({ width: 390, height: 844 });
    await page.visit('/panel/devices');
    const open = async (): Promise<void> => {
      await page.evaluate(`${menuButton}.focus()`);
      await page.tab.keyboard.press('Enter');
      await page.until(`${isMenuOpen} && ${active}.closest('nav.side')`);
    };
    assert.equal(await page.evaluate(isMenuOpen), false);

    await open();
    assert.deepEqual(await accessibilityProblems(page), []);
    for (let at = 0; at < 12; at++) {
      await page.tab.keyboard.press('Tab');
      assert.equal(await page.evaluate(`${active}.closest('.main, .skip')`), null);
    }
    await page.tab.keyboard.press('Escape');
    await page.until(`!(${isMenuOpen}) && ${active} === ${menuButton}`);
    await open();
    await page.evaluate(
      `document.querySelector('nav.side a[href="/panel/profile"], nav.side li:last-child a').focus()`,
    );
    await page.tab.keyboard.press('Enter');
    await page.until(`!(${isMenuOpen}) && location.pathname !== '/panel/devices' && (${heading})`);
    await open();
    await page.emulate(wide);

    await page.until(`!(${isMenuOpen}) && !document.querySelector('.main').inert`);
  });

  test('the filter of the devices follows the address: back, forward, by a link, and is cleared when another person signs in', async () => {
    const account = await service.account();
    const berlin = await account.group('Berlin');
    const { id } = await account.agent({ name: 'Lamp', groupId: berlin });
    await account.agent({ name: 'Torch' });
    const page = await enter('/panel/devices', account);
    await page.until(`${rows}.length === 2`);

    await page.press('Berlin');
    await page.until(`${rows}.join() === 'Lamp'`);
    // At once, before the page itself has written the address.
    await page.evaluate(`document.querySelector('main a[href="/panel/devices/${id}"]').click()`);
    await page.until(`(${heading}) === 'Lamp'`);
    await page.press('Devices');
    await page.until(`${rows}.length === 2 && location.search === ''`);
    await page.evaluate('history.go(-2)');
    await page.until(`${rows}.join() === 'Lamp' && location.search === '?group=${berlin}'`);
    await page.evaluate('history.go(2)');
    await page.until(`${rows}.length === 2`);
    await page.evaluate('history.go(-2)');
    await page.until(`${rows}.length === 1`);
    await must(service.server.store, 'panel/sessions/end-all', {
      accountId: account.id,
      memberId: account.owner.id,
    });

    await page.until(`document.querySelector('.entry') && location.search === ''`);
  });

  test('the previous content stays while the next loads, and a search is sent once typing pauses', async () => {
    const account = await service.account();
    await must(service.server.store, 'operators/add', {
      member: { accountId: account.id, id: account.owner.id },
    });
    const page = await enter('/panel/server', account);
    const held = await hold(page, 'server/accounts');

    await page.evaluate(`document.querySelector('main [type=search]').focus()`);
    for (const letter of 'owner') await page.write(letter);
    await page.until(`document.querySelector('.kept[aria-busy=true]')`);
    const during = await page.evaluate<number>(`document.querySelectorAll('.kept [role=row]').length`);
    const loading = await page.evaluate(`document.querySelector('main .spinner')`);
    await held.letGo();
    await page.until(`document.querySelector('.kept[aria-busy=false]')`);

    assert.deepEqual([during > 1, loading, held.count()], [true, null, 1]);
    assert.equal(await page.evaluate(`document.querySelector('main [type=search]').value`), 'owner');
  });

  test('a response that is not the server’s is reported as such, and requested again automatically', async () => {
    const page = await enter('/panel/devices');
    page.devtools.on('Fetch.requestPaused', ({ requestId }) => {
      const body = Buffer.from('<html>Bad gateway</html>').toString('base64');
      void page.devtools.send('Fetch.fulfillRequest', { requestId, responseCode: 502, body });
    });
    await page.devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/panel/api/v1/plan/info*' }] });
    await page.visit('/panel/admin/plan');
    await page.reads('The server gave an unexpected answer (502).');

    await page.devtools.send('Fetch.disable');

    await page.until(`document.querySelector('.meters')`);
  });

  test('a refusal is announced and stays until it is closed, over a dialog too', async () => {
    const account = await service.account();
    const { id } = await account.agent({ name: 'Lamp' });
    const page = await enter('/panel/profile', account);
    // A notice that disappears after six seconds disappears at once.
    const source = `const later = setTimeout;
      globalThis.setTimeout = (work, ms, ...more) => later(work, ms === 6_000 ? 100 : ms, ...more);`;
    await page.tab.evaluateOnNewDocument(source);
    await page.visit(`/panel/devices/${id}?tab=settings`);
    assert.equal(
      await page.evaluate(`getComputedStyle(document.querySelector('.notices [role=alert]')).display`),
      'block',
    );

    await page.press('Wake');
    await page.until(refusal);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.fill('Name', 'Torch');
    await page.press('Save');
    await page.reads('Saved.');
    await page.until(`!document.body.innerText.includes('Saved.')`);
    await page.until(refusal);
    await page.press('More for Torch');
    await page.press('Rename');
    await page.until(`${refusal}.closest('dialog:modal')`);
    await page.answer('Close this message');
    await page.until(`!${refusal}`);
    await page.answer('Close');

    await page.until(`document.querySelector('body > .notices')`);
  });
});
