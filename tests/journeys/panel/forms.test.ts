/**
 * The forms in pages of the panel: what is entered is saved, shown at once, and downloaded as a file on
 * request.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { must, type TestAccount } from '../../kit/server/account.ts';
import { accessibilityProblems } from '../../kit/browser/accessibility.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { saveDownloads } from '../../kit/browser/browser-dialogs.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { pngOf } from '../../kit/display/logo.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, readPicture, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { tryRead } from '../../kit/browser/panel-dialogs/devices.ts';
import {
  chooseFile,
  waitUntilGone,
  waitUntilShown,
  waitForNotice,
  navigateTo,
} from '../../kit/browser/panel-dialogs/step.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { xssProbe, fillPanelAccount } from '../../kit/server/panel-fixture.ts';
import { eventually } from '../../kit/eventually.ts';

const brand = `document.querySelector('.brand').innerText.trim()`;
const lines = `document.querySelectorAll('.history-table [role=rowgroup] [role=row]').length`;
const asked = (name: string): string => `new URLSearchParams(location.search).get('${name}')`;

/** Chooses the last day. */
const day = (value: string): string => `(() => {
  const field = document.querySelector('main [name=to]');
  field.value = '${value}';
  field.dispatchEvent(new Event('input', { bubbles: true }));
})()`;

describe('the forms of the panel', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  let account: TestAccount;
  let page: PanelPage;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'drawbridge-forms-'));
    [service, browser] = await Promise.all([startService({ realTime: true }), openBrowser()]);
    account = await service.account();
    await fillPanelAccount(service, account);
    await setPassword(service, account, account.owner, 'correct horse 7');
    page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate({ width: 1_280, height: 800 });
    await signInAs(page, service, account, account.owner);
    await page.visit('/panel/profile');
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test('a name, a colour and a logo show everywhere at once, and invalid colours and pictures are refused', async () => {
    const [picture, text] = [join(folder, 'logo.png'), join(folder, 'logo.txt')];
    writeFileSync(picture, pngOf(40, 20));
    writeFileSync(text, xssProbe);
    await navigateTo(page, '/panel/admin/branding');

    await page.fill('Colour', 'red');
    await page.press('Save');
    await waitUntilShown(page, 'This is not a colour.');
    await page.fill('Name', 'Acme <b>help</b>');
    await page.fill('Colour', '#0a7d32');
    await page.press('Save');
    await waitForNotice(page, 'Saved. Everybody sees it from now on.');
    await page.until(`${brand} === 'Acme <b>help</b>'`);
    await chooseFile(page, 'input[type=file]', text);
    await waitUntilShown(page, 'This is not a PNG, JPEG or WebP picture.');
    await chooseFile(page, 'input[type=file]', picture);
    await waitForNotice(page, 'The logo was changed.');
    const shown = await eventually(
      () => readPicture(page, '.brand img'),
      ({ width }) => width > 0,
    );
    assert.deepEqual([shown.width, shown.height], [40, 20]);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.press('Remove the logo');

    await waitForNotice(page, 'The logo was removed.');
    await page.until(`!document.querySelector('.brand img')`);
  });

  test('the audit log is verified with a button, and filtered by operation', async () => {
    await navigateTo(page, '/panel/admin/audit');
    await page.press('Check the log');
    await page.until(
      `/All \\d+ lines are unchanged\\./.test(document.querySelector('.verdict.good')?.innerText)`,
    );

    await choose('Action', 'Create a token', 'Create a token for new devices on the server');
    await page.until(asked('operation'));
    await waitUntilShown(page, 'No line matches the filter');
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.press('Show everything');

    await page.until(
      `location.search === '' && document.querySelector('main [role=rowgroup] [role=row], main details')`,
    );
  });

  test('settings of the account apply as soon as they are saved', async () => {
    await navigateTo(page, '/panel/admin/settings');
    assert.equal(await page.evaluate(`document.querySelector('main [type=submit]').disabled`), true);

    await page.press('New devices wait until somebody approves them');
    await page.press('Record every session');
    await page.press('Save');
    await waitForNotice(page, 'Saved.');

    const { data } = (await account.owner.call('account/info')).body;
    assert.deepEqual(data, { approve_devices: true, record: true, onetime_url: 'allow' });
  });

  test('one-time links of a device are forbidden on its page, where the link disappears, and follow the account again', async () => {
    const { id } = await account.agent({ name: 'Kiosk' });
    await account.owner.call('account/update', { onetime_url: 'allow' });
    const path = `/panel/devices/${id}`;
    await navigateTo(page, path);
    await page.reads('New link in');

    await navigateTo(page, `${path}?tab=settings`);
    await page.choose('One-time links', 'Forbidden');
    await page.press('Save');
    await waitForNotice(page, 'Saved.');
    await navigateTo(page, path);
    await page.reads('One-time links are forbidden for this device.');
    await navigateTo(page, `${path}?tab=settings`);
    await page.choose('One-time links', 'From the account: Allowed');
    await page.press('Save');
    await waitForNotice(page, 'Saved.');

    await navigateTo(page, path);
    await page.reads('New link in');
  });

  test('the policy of the account shows in groups and devices with its source, until they decide themselves', async () => {
    const { id } = await account.agent({ name: 'Till' });
    const policyOf = async () => (await account.owner.call('agents/policy', { agent_id: id })).body['data'];
    await navigateTo(page, '/panel/admin/policy');
    assert.equal(await page.evaluate(`document.querySelector('main [type=submit]').disabled`), true);
    await page.choose('Terminal', 'Off');
    await page.choose('Close idle sessions', 'After 15 minutes');
    await page.press('Save');
    await waitForNotice(page, 'Saved.');
    assert.deepEqual(await accessibilityProblems(page), []);

    await navigateTo(page, `/panel/devices/${id}?tab=settings`);
    await page.until(
      `[...document.querySelectorAll('option')].some((each) => each.text === 'From the account: After 15 minutes')`,
    );
    await page.choose('Terminal', 'On');
    await page.press('Save');
    await waitForNotice(page, 'Saved.');
    const own = await policyOf();
    await page.choose('Terminal', 'From the account: Off');
    await page.press('Save');
    await waitForNotice(page, 'Saved.');

    assert.deepEqual(own.terminal, {
      value: 'on',
      from: 'device',
      inherited: 'off',
      inherited_from: 'account',
    });
    assert.deepEqual([own.idle_timeout.value, own.idle_timeout.from], ['15m', 'account']);
    const { terminal } = await eventually(policyOf, (policy) => policy.terminal.from === 'account');
    assert.equal(terminal.value, 'off');
    await account.owner.call('account/policy/update', { terminal: 'inherit', idle_timeout: 'inherit' });
  });

  /** Types into a field with suggestions, and chooses one of them. */
  async function choose(label: string, typed: string, choice: string): Promise<void> {
    const option = `[...document.querySelectorAll('[role=option]')].find((each) =>
      each.checkVisibility() && each.innerText.split('\\n')[0] === ${JSON.stringify(choice)})`;
    await page.fill(label, typed);
    await page.until(option);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.evaluate(`${option}.click()`);
  }

  /** The owner and another member were connected to a device; returns that member. */
  async function twoWith(name: string): Promise<string> {
    const { store } = service.server;
    const [{ id: agentId }, other] = [await account.agent({ name }), await account.member()];
    const geo = { ip: xssProbe, country: xssProbe, region: xssProbe, city: xssProbe };
    const begun = {
      accountId: account.id,
      agentId,
      invitationId: null,
      userAgent: xssProbe,
      geo,
      start: store.now(),
    };
    for (const { id: memberId, email: login } of [account.owner, other])
      await must(store, 'sessions/start', { ...begun, memberId, login });
    return other.email;
  }

  test('connections are filtered by kind, device, member and day, and downloaded as they are shown', async () => {
    const person = await twoWith('Lamp');
    await navigateTo(page, '/panel/history');
    await page.until(`${lines} === 4`);
    await page.choose('Connected to', 'Quick support');
    await waitUntilShown(page, 'No connection matches');
    await page.choose('Connected to', 'Devices');
    await page.until(`${lines} === 4`);
    await choose('Device', 'lam', 'Lamp');
    await page.until(`${lines} === 2 && ${asked('device')}`);
    await choose('Person', person, person);
    await page.until(`${lines} === 1`);
    await page.evaluate(day('2020-01-01'));
    await waitUntilShown(page, 'No connection matches');
    await page.evaluate(day(''));
    await page.until(`${lines} === 1`);
    await saveDownloads(page, folder);
    await page.press('Download as CSV');
    const text = await eventually(
      () =>
        readdirSync(folder)
          .map((name) => (name.endsWith('.csv') ? tryRead(join(folder, name)) : ''))
          .join(''),
      (found) => found.includes(person),
    );

    assert.ok(!text.includes(account.owner.email), 'what is not shown is not in the file');
    assert.equal(await page.evaluate('globalThis.__ran'), undefined);
    await page.press('Clear the filter');
    await page.until(`${lines} === 4 && location.search === ''`);
    await waitUntilGone(page, 'Clear the filter');
    assert.deepEqual(page.violations, []);
  });
});
