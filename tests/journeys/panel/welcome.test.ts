/**
 * What the panel tells people who come to it: a client with a code, an owner on the first day, a technician
 * without rights, and somebody with two tabs; and by which names people see each other.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { must, type TestAccount, type TestPerson } from '../../kit/server/account.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { runSql } from '../../kit/server/raw-sql.ts';
import { createPanelSession, setPassword } from '../../kit/server/panel.ts';

const wide = { width: 1_280, height: 900 };
const password = 'correct horse 7';
const mainText = `document.querySelector('main').innerText`;
const brandText = `document.querySelector('.brand')?.innerText`;

/** A folder with an agent that the server offers. */
function offerAgent(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-offer-'));
  const file = {
    name: 'drawbridge-agent-linux-x64',
    os: 'linux',
    arch: 'x64',
    size: 1,
    sha256: '0'.repeat(64),
  };
  writeFileSync(join(folder, file.name), '.');
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ version: '0.1.0', files: [file] }));
  return folder;
}

describe('the panel', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  let downloads: string;
  before(async () => {
    downloads = offerAgent();
    const env = { DRAWBRIDGE_DOWNLOADS: downloads };
    [service, browser] = await Promise.all([startService({ realTime: true, env }), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
    rmSync(downloads, { recursive: true });
  });

  async function open(path: string, beside?: PanelPage): Promise<PanelPage> {
    const page = await openPanelPage(browser, service.server.config.publicUrl, beside);
    await page.emulate(wide);
    await page.visit(path);
    return page;
  }

  async function enter(
    account: TestAccount,
    path: string,
    person: TestPerson = account.owner,
  ): Promise<PanelPage> {
    await setPassword(service, account, person, password);
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate(wide);
    await signInAs(page, service, account, person);
    await page.visit(path);
    return page;
  }

  test('leads a client with a code from the first page to the page of the code', async () => {
    const page = await open('/');

    await page.press('I have a code');

    await page.until(`location.pathname === '/i' && document.querySelector('#code')`);
    assert.deepEqual(page.violations, []);
  });

  test('shows a client the brand of the account before they join, and that of the server without a code', async () => {
    const account = await service.account();
    const brand = { name: 'Help Ltd', accent: '#b5179e' };
    await must(service.server.store, 'brands/update', { accountId: account.id, ...brand });
    const { body } = await account.owner.call('support/create', {});
    const [first] = await service.server.store.accounts.list();
    const ofServer = { accountId: first!.accountId, name: 'The server', accent: '' };
    await must(service.server.store, 'brands/update', ofServer);

    const [invited, plain] = [await open(`/i/${body['data'].invite_code}`), await open('/i')];

    await invited.until(`${brandText} === 'Help Ltd'`);
    assert.match(await invited.evaluate<string>('document.title'), /Help Ltd$/);
    await plain.until(`${brandText} === 'The server'`);
    assert.deepEqual([invited.violations, plain.violations], [[], []]);
  });

  test('ticks the first steps of an owner off as they are done', async () => {
    const account = await service.account();
    const page = await enter(account, '/panel/profile');
    const key = `drawbridge.first-steps.${account.owner.id}`;
    await page.evaluate(`localStorage.setItem('${key}', 'device,client,technician')`);
    await page.visit('/panel/support');
    const done = `[...document.querySelectorAll('.first-steps li.done h3')].map((each) => each.innerText).join()`;
    assert.equal(await page.evaluate(done), '');

    await account.owner.call('support/create', {});
    await page.until(`${done} === 'Invite a client'`);
    await account.agent({ name: 'Lamp' });
    await account.owner.call('team/member/invite', { email: 'new@example.com' });

    await page.until(`${done} === 'Add a device,Invite a client,Invite a technician'`);
    await page.reads('You have done all first steps.');
  });

  test('tells a technician without rights whom to ask, and changes when they have some', async () => {
    const account = await service.account();
    const technician = await account.member();
    const page = await enter(account, '/panel', technician);

    await page.reads('You have no rights in this account yet');
    assert.ok((await page.evaluate<string>(mainText)).includes(account.owner.email));
    await page.visit('/panel/team');
    assert.ok((await page.evaluate<string>(mainText)).includes(`ask ${account.owner.email}`));
    await page.visit('/panel/profile');
    await account.grant(technician, { type: 'team', permissions: ['team_permanent_access'] });

    await page.until(`!${mainText}.includes('You have no rights')`);
  });

  test('signs a second tab in when the first one is', async () => {
    const account = await service.account();
    await setPassword(service, account, account.owner, password);
    const first = await open('/panel/devices');
    const second = await open('/panel/profile', first);
    await second.reads('Forgot your password?');

    await first.fill('E-mail address', account.owner.email);
    await first.fill('Password', password);
    await first.press('Sign in');
    await first.reads('No devices yet');

    await second.reads('Sign out everywhere');
    assert.equal(await second.evaluate('location.pathname'), '/panel/profile');
  });

  test('shows the name that a person gave themselves beside their address: in the team, the history and the audit log', async () => {
    const account = await service.account();
    const page = await enter(account, '/panel/profile');
    await page.press('Add your name');
    await page.fill('Name', 'Ann Smith');
    await page.answer('Save');
    await page.reads('Ann Smith');
    const { id: agentId } = await account.agent({ name: 'Lamp' });
    await addSession(account, { agent_id: agentId });

    await page.visit('/panel/team');
    await page.reads('Ann Smith');
    assert.ok((await page.text()).includes(account.owner.email));
    await page.visit(`/panel/team/people/${account.owner.email}`);
    await page.reads(`Ann Smith (${account.owner.email})`);
    for (const tab of ['history', 'access']) {
      await page.visit(`/panel/devices/${agentId}?tab=${tab}`);
      await page.reads(`Ann Smith (${account.owner.email})`);
    }
    await page.visit('/panel/history');
    await page.reads(`Ann Smith (${account.owner.email})`);
    await page.fill('Person', 'smith');
    await page.until(`document.querySelector('[role=option]')?.innerText.startsWith('Ann Smith (')`);
    await page.visit('/panel/admin/audit');
    await page.reads(`Ann Smith (${account.owner.email}) changed their name to “Ann Smith”.`);
  });

  test('keeps the name of a client in the history after the invitation is closed, for the owner', async () => {
    const account = await service.account();
    const { body } = await account.owner.call('support/create', { client_name: 'Peter Pan' });
    const id = body['data'].id as number;
    await addSession(account, { invitation_id: id });
    await account.owner.call('support/close', { connection_id: id });

    const page = await enter(account, '/panel/history');

    await page.reads('Peter Pan');
    const technician = await account.member([
      { type: 'quick_support', permissions: ['quick_support_technical'] },
    ]);
    const other = await enter(account, '/panel/history', technician);
    await other.reads(`Invitation ${id}`);
    assert.doesNotMatch(await other.text(), /Peter Pan/);
  });

  /** A session of the owner that has ended. */
  async function addSession(account: TestAccount, target: Record<string, number>): Promise<void> {
    const now = service.server.store.now();
    const values = {
      account_id: account.id,
      member_id: account.owner.id,
      ...target,
      start_time: now - 60,
      alive_time: now - 30,
      stop_time: now - 30,
      client_ip: `''`,
      client_country: `''`,
      client_region: `''`,
      client_city: `''`,
      user_agent: `''`,
      bytes: 0,
      video_size: 0,
      login: `'${account.owner.email}'`,
    };
    await runSql(
      service,
      `insert into session (${Object.keys(values).join()}) values (${Object.values(values).join()})`,
    );
  }

  test('gives every line of the audit log as a sentence', async () => {
    const account = await service.account();
    const { id } = await account.agent({ name: 'Lamp' });
    await account.owner.call('agents/favorite', { id, favorite: true });
    await account.owner.call('groups/create', { name: 'Office' });
    await account.owner.call('agents/reboot', { id });
    await createPanelSession(service, account, account.owner);
    const page = await enter(account, '/panel/admin/audit');

    const lines = await page.until<string[]>(
      `(found => found.length > 3 && found)([...document.querySelectorAll('.audit-what')].map((each) => each.innerText))`,
    );

    for (const line of lines) assert.match(line, /^\S+ \S.*[^.]\.$/, line);
    assert.ok(lines.includes(`${account.owner.email} created the group “Office”.`), lines.join('\n'));
    const reboot = `${account.owner.email} tried to reboot the device Lamp, but the device was offline.`;
    assert.ok(lines.includes(reboot), lines.join('\n'));
  });

  test('offers one button to copy the command that adds a device', async () => {
    const page = await enter(await service.account(), '/panel/devices/add');
    await page.press('Create the command');
    await page.until(`document.querySelector('.copy-line [aria-label="The command"]')`);

    const buttons = `[...document.querySelectorAll('button')].filter((each) => (each.innerText.trim() || each.ariaLabel) === 'Copy').length`;
    assert.equal(await page.evaluate(buttons), 1);
  });
});
