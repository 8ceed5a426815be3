/** The device list as people set it up: its order, its columns, the height of its rows, and what it says about devices that are off. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount, TestPerson } from '../../kit/server/account.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { runSql } from '../../kit/server/raw-sql.ts';
import { setPassword } from '../../kit/server/panel.ts';

const [wide, phone] = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844, phone: true },
];

const names = `[...document.querySelectorAll('[role=rowgroup] [role=row] .cell-name a')].map((each) => each.innerText).join()`;
const headings = `[...document.querySelectorAll('[role=columnheader]')].map((each) => each.innerText.trim()).filter(Boolean).join()`;
const cellsOf = (name: string): string =>
  `[...[...document.querySelectorAll('[role=rowgroup] [role=row]')].find((row) => row.innerText.includes('${name}')).children].map((cell) => cell.innerText)`;
const sorted = `[...document.querySelectorAll('[aria-sort]:not([aria-sort=none])')].map((each) => each.innerText.trim() + ' ' + each.ariaSort).join()`;
const rowHeight = `document.querySelector('[role=rowgroup] [role=row]').getBoundingClientRect().height`;

/** An item of the open menu; a heading may have the same text. */
const menuItem = (text: string): string =>
  `[...document.querySelectorAll('.menu:popover-open .menu-item')].find((each) => each.innerText.trim() === '${text}')`;

const days = 86_400;

describe('the device list', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  let account: TestAccount;
  before(async () => {
    [service, browser] = await Promise.all([startService({ realTime: true }), openBrowser()]);
    account = await service.account();
    await setPassword(service, account, account.owner, 'correct horse 7');
    const office = await account.group('A group whose name is longer than most');
    const geo = { country: '', region: '', city: '' };
    const added = [
      { name: 'Anvil', version: '1.10.0', osUser: 'zoe', geo: { ip: '203.0.113.9', ...geo } },
      {
        name: 'Bellows',
        version: '1.9.0',
        osUser: 'ann',
        geo: { ip: '203.0.113.10', ...geo },
        groupId: office,
      },
      { name: 'Chisel', version: '1.9.5', osUser: 'max', geo: { ip: '198.51.100.7', ...geo } },
    ];
    const now = service.server.store.now();
    for (const [at, each] of added.entries()) {
      const { id } = await account.agent(each);
      const [lease, seen] = [at === 1 ? now + 600 : now - 5, now - (3 - at) * days];
      const values = `${id}, ${account.id}, 'elsewhere', ${lease}, ${seen}`;
      await runSql(
        service,
        `insert into presence (agent_id, account_id, node, lease_until, seen_time) values (${values})`,
      );
    }
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  async function enter(person: TestPerson = account.owner, beside?: PanelPage): Promise<PanelPage> {
    const page = await openPanelPage(browser, service.server.config.publicUrl, beside);
    await page.emulate(wide);
    await signInAs(page, service, account, person);
    await page.visit('/panel/devices');
    return page;
  }

  const choose = async (page: PanelPage, ...items: string[]): Promise<void> => {
    await page.press('Table options');
    for (const item of items) {
      const found = menuItem(item);
      await page.until(found);
      await page.evaluate(`${found}.click()`);
    }
    await page.tab.keyboard.press('Escape');
  };

  test('a device that is off says so, and when it was seen; one that is on says that', async () => {
    const page = await enter();

    assert.equal(
      (await page.evaluate<string[]>(cellsOf('Anvil')))[1]?.split('\n')[0],
      'Offline, seen 3 days ago',
    );
    assert.equal((await page.evaluate<string[]>(cellsOf('Bellows')))[1]?.split('\n')[0], 'Online');
    await page.press('Anvil');
    await page.reads('Offline, seen 3 days ago');
  });

  test('a heading sorts the list up, down and not at all', async () => {
    const page = await enter();
    assert.equal(await page.evaluate(names), 'Bellows,Anvil,Chisel');

    await page.press('Device');
    await page.until(`${names} === 'Anvil,Bellows,Chisel'`);
    assert.equal(await page.evaluate(sorted), 'Device ascending');
    await page.press('Device');
    await page.until(`${names} === 'Chisel,Bellows,Anvil'`);
    assert.equal(await page.evaluate(sorted), 'Device descending');
    await page.press('Device');
    await page.until(`${names} === 'Bellows,Anvil,Chisel'`);

    assert.equal(await page.evaluate(sorted), '');
  });

  test('address, version, last seen and user are shown by choice, and each sorts the list', async () => {
    const page = await enter();
    assert.equal(await page.evaluate(headings), 'Device,State,Group');

    await choose(page, 'Address', 'Agent version', 'Last seen', 'User', 'Group');
    await page.until(`${headings} === 'Device,State,Address,Agent version,Last seen,User'`);

    const cells = await page.evaluate<string[]>(cellsOf('Anvil'));
    assert.deepEqual(cells.slice(2, 6), ['203.0.113.9', '1.10.0', '3 days ago', 'zoe']);
    for (const [heading, order] of [
      ['Address', 'Chisel,Anvil,Bellows'],
      ['Agent version', 'Bellows,Chisel,Anvil'],
      ['Last seen', 'Anvil,Chisel,Bellows'],
      ['User', 'Bellows,Chisel,Anvil'],
    ] as const) {
      await page.press(heading);
      await page.until(`${names} === '${order}'`);
    }
  });

  test('each person finds the list as they left it, also after a reload and in another tab', async () => {
    const technician = await account.member([
      { type: 'team', permissions: ['team_permanent_access'] },
      ...(await account.owner.call('agents/list')).body['data'].map(({ id }: { id: number }) => ({
        type: 'agent' as const,
        permissions: ['agent_connect' as const],
        agentId: id,
      })),
    ]);
    await setPassword(service, account, technician, 'correct horse 7');
    const page = await enter();
    const usual = await page.evaluate<number>(rowHeight);
    await choose(page, 'State', 'User', 'Dense rows');
    await page.press('User');
    await page.until(`${names} === 'Bellows,Chisel,Anvil'`);

    await page.visit('/panel/devices');
    const tab = await enter(account.owner, page);

    for (const each of [page, tab]) {
      assert.equal(await each.evaluate(headings), 'Device,Group,User');
      assert.equal(await each.evaluate(names), 'Bellows,Chisel,Anvil');
      assert.equal(await each.evaluate(sorted), 'User ascending');
      assert.ok((await each.evaluate<number>(rowHeight)) < usual - 10);
    }
    const other = await enter(technician, page);
    assert.equal(await other.evaluate(headings), 'Device,State,Group');
    assert.equal(await other.evaluate(names), 'Bellows,Anvil,Chisel');
  });

  test('a column is as wide as its content: the name of a group is not cut off', async () => {
    const page = await enter();
    const group = `[...document.querySelectorAll('[role=cell]')].find((cell) => cell.innerText.startsWith('A group'))`;
    await page.until(group);

    assert.equal(await page.evaluate(`${group}.scrollWidth <= ${group}.clientWidth`), true);
    assert.equal(await page.evaluate(`${group}.scrollHeight <= ${group}.clientHeight`), true);
  });

  test('on a phone and as tiles, a menu sorts the list', async () => {
    const page = await enter();
    await page.emulate(phone);
    await page.press('Sort by');
    await page.press('Device');
    await page.until(`${names} === 'Anvil,Bellows,Chisel'`);
    await page.tab.keyboard.press('Escape');

    await page.emulate(wide);
    await page.press('Show as tiles');
    await page.press('Sort by');
    await page.press('Device');

    const tiles = `[...document.querySelectorAll('.tile .cell-name a')].map((each) => each.innerText).join()`;
    await page.until(`${tiles} === 'Chisel,Bellows,Anvil'`);
  });
});
