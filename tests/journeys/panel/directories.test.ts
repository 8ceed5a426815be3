/** An administrator connects a real LDAP server in the panel, sees what an import would change, and imports. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { loopbackDirectories } from '../../kit/directory-account.ts';
import { skipWithout } from '../../kit/requirements.ts';
import type { TestAccount } from '../../kit/server/account.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import {
  directoryBase,
  directoryReader,
  ldapGroup,
  ldapPerson,
  startSlapd,
  type Slapd,
} from '../../kit/slapd.ts';

const password = 'correct horse 7';
const company = [
  ...['ann', 'bob', 'cid'].map((uid) => ldapPerson({ uid })),
  ldapGroup('support', ['ann', 'bob']),
];

describe('directories in the panel', { skip: skipWithout('Chromium') || skipWithout('slapd') }, () => {
  let service: TestService;
  let browser: Browser;
  let slapd: Slapd;
  before(async () => {
    [service, browser, slapd] = await Promise.all([
      startService({ env: loopbackDirectories }),
      openBrowser({ wholeBrowser: true }),
      startSlapd(),
    ]);
  });
  after(async () => {
    await browser.close();
    await slapd[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  async function ownerPage(account: TestAccount): Promise<PanelPage> {
    await setPassword(service, account, account.owner, password);
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate({ width: 1_280, height: 800 });
    await signInAs(page, service, account, account.owner);
    return page;
  }

  async function connect(page: PanelPage, secret = directoryReader.bind_password): Promise<void> {
    await page.visit('/panel/team/directories');
    await page.press('Connect a directory');
    await page.fill('Name', 'Company');
    await page.fill('Address of the server', slapd.url);
    await page.evaluate(`(() => {
      const field = document.querySelector('textarea[name=ca_cert]');
      field.value = ${JSON.stringify(slapd.ca)};
      field.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await page.fill('Entry that reads the directory', directoryReader.bind_dn);
    await page.fill('Password of this entry', secret);
    await page.fill('Base', directoryBase);
    await page.answer('Connect a directory');
    await page.reads('The directory was connected.');
  }

  /** What the report of an import lists, also in parts that are closed. */
  const reported = (page: PanelPage): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('.import-report li')].map((each) => each.textContent)`);

  test('is connected, tested, imported, and asks before it takes much away', async () => {
    await slapd.load(company);
    const account = await service.account();
    const page = await ownerPage(account);

    await page.visit('/panel/team/directories');
    const empty = await page.text();
    await connect(page);
    await page.press('Test and show changes');
    await page.reads('An import would change this');
    const plan = await page.text();
    const planned = await reported(page);
    const untouched = (await account.owner.call('team/department/list')).body['data'];
    await page.press('Import now');
    await page.reads('The import changed this');
    await slapd.load([...company.slice(0, 1), ldapGroup('support', ['ann'])]);
    await page.press('Import now');
    await page.reads('Import all the same');
    const question = await page.text();
    const stopped = (await account.owner.call('team/member/list')).body['data'];
    await page.press('Import all the same');
    await page.reads('2 people are disabled');
    await page.visit('/panel/team/directories');
    const list = await page.text();

    assert.match(empty, /No directories yet/);
    assert.match(plan, /3 people are added[^]*1 department is added[^]*2 people join departments/);
    assert.ok(planned.includes('ann@example.com') && planned.includes('bob@example.com → support'), plan);
    assert.deepEqual(untouched, []);
    assert.match(question, /takes away 67 % of the people or memberships; your limit is 20 %/);
    assert.ok(stopped.every((each: { state: string }) => each.state !== 'disabled'));
    assert.match(list, /Company[^]*Imported/);
    assert.deepEqual(page.violations, []);
  });

  test('a failure is shown where it can be corrected, and settings change only after the user confirms', async () => {
    await slapd.load(company);
    const account = await service.account();
    const page = await ownerPage(account);

    await connect(page, 'wrong');
    await page.press('Import now');
    await page.reads('The server refused the entry that reads or its password.');
    service.advance(20 * 60);
    await page.fill('Address of the server', 'ldaps://elsewhere.example.com');
    await page.press('Save');
    await page.reads('Confirm that it is you');
    await page.fill('Your password', password);
    await page.answer('Confirm');
    await page.reads('The password would be sent to another server: give it again.');
    await page.fill('Address of the server', slapd.url);
    await page.fill('Password of this entry', directoryReader.bind_password);
    await page.choose('Import', 'every hour');
    await page.press('Save');
    await page.reads('The settings were saved.');
    await page.press('Import now');
    await page.reads('The import changed this');

    const [listed] = (await account.owner.call('team/directory/list')).body['data'];
    assert.deepEqual([listed.url, listed.every_minutes, listed.last_problem], [slapd.url, 60, '']);
    assert.deepEqual(page.violations, []);
  });
});
