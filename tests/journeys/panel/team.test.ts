/**
 * The owner invites a technician and gives one permission on one group; the technician sees exactly that, and
 * changes at once.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../kit/server/account.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { EmulationOptions } from '../../kit/browser/any-page.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { setPassword } from '../../kit/server/panel.ts';

const skip = skipWithout('Chromium');
const looks: Record<string, EmulationOptions> = {
  'on a wide screen': { width: 1_280, height: 800 },
  'on a telephone': { width: 390, height: 844, phone: true },
};
const email = 'tess@example.com';
const permission = 'Wake the device with Wake-on-LAN';

describe('a technician in the panel', { skip }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startService({ realTime: true }), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  async function ownerPage(account: TestAccount, look: EmulationOptions): Promise<PanelPage> {
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate(look);
    await signInAs(page, service, account, account.owner);
    return page;
  }

  /** Two tabs of one browser, signed in, that show the devices. */
  async function tabsOf(account: TestAccount): Promise<[PanelPage, PanelPage]> {
    await account.agent({ name: 'Front desk' });
    const one = await ownerPage(account, looks['on a wide screen']!);
    await one.visit('/panel/devices');
    const two = await openPanelPage(browser, service.server.config.publicUrl, one);
    await two.visit('/panel/devices');
    return [one, two];
  }

  async function invite(owner: PanelPage): Promise<string> {
    await owner.visit('/panel/team');
    await owner.press('Invite a person');
    await owner.fill('Their e-mail address', email);
    await owner.press('Invite');
    await owner.reads('/invite/');
    const [link] = /https:\S+\/invite\/\S+/.exec(await owner.text())!;
    return link;
  }

  async function give(owner: PanelPage): Promise<void> {
    await owner.visit('/panel/team/roles');
    await owner.press('New role');
    await owner.fill('Name', 'Waker');
    await owner.choose('Applies to', 'On the devices of a group');
    await owner.press(permission);
    await owner.press('Create');
    await owner.reads('The role was saved');
    await owner.visit('/panel/team/access');
    await owner.press('Give access');
    for (const choice of [email, 'Waker', 'Berlin']) await owner.press(choice);
    await owner.press('Give access');
    await owner.reads('Access was given.');
  }

  async function join(link: string, look: EmulationOptions): Promise<PanelPage> {
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate(look);
    await page.goto(link);
    await page.press('Join the team');
    await page.fill('New password', 'battery staple 9');
    await page.press('Set the password');
    await page.until(`document.querySelector('nav[aria-label="Main menu"]')`);
    return page;
  }

  const offered = (page: PanelPage): Promise<string[]> =>
    page.evaluate(
      `[...document.querySelectorAll('nav[aria-label="Main menu"] li')].map((each) => each.innerText || each.textContent)`,
    );

  const tabs = (page: PanelPage): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('main nav.tabs a')].map((each) => each.textContent)`);

  for (const [name, look] of Object.entries(looks))
    test(`is invited, gets one permission on one group, and sees exactly that, ${name}`, async () => {
      const account = await service.account();
      const groupId = await account.group('Berlin');
      const inside = await account.agent({ name: 'Front desk', groupId });
      await account.agent({ name: 'Vault' });
      const owner = await ownerPage(account, look);
      const link = await invite(owner);
      await give(owner);

      const tess = await join(link, look);
      await tess.visit('/panel/devices');
      await tess.reads('Front desk');
      const list = await tess.text();
      await tess.visit(`/panel/devices/${inside.id}`);
      const device = await tess.text();

      assert.deepEqual(await offered(tess), ['Devices', 'Access requests', 'Profile']);
      assert.deepEqual(await tabs(tess), ['Overview', 'Hardware', 'Files']);
      assert.doesNotMatch(list, /Vault|Add a device|Connect\n/);
      assert.match(device, /\bWake\b/);
      assert.doesNotMatch(device, /\bConnect\b|Reboot|Unlink|Turn the permanent link on/);
      assert.deepEqual(tess.violations, []);
    });

  test('changes of others appear without a reload: a device, a new permission, and its removal', async () => {
    const account = await service.account();
    const groupId = await account.group('Berlin');
    await account.agent({ name: 'Front desk', groupId });
    const technician = await account.member([{ type: 'group', permissions: ['agent_preview'], groupId }]);
    await setPassword(service, account, technician, 'battery staple 9');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await signInAs(page, service, account, technician);
    await page.visit('/panel/devices');
    await page.reads('Front desk');
    await page.evaluate('globalThis.__same = true');

    await account.agent({ name: 'Back office', groupId });
    await page.reads('Back office');
    const { roleId } = await account.grant(technician, {
      type: 'group',
      permissions: ['agent_connect'],
      groupId,
    });
    await page.until(
      `[...document.querySelectorAll('main button')].some((each) => each.innerText.trim() === 'Connect')`,
    );
    await account.owner.call('team/role/remove', { id: roleId });
    await page.until(
      `![...document.querySelectorAll('main button')].some((each) => each.innerText.trim() === 'Connect')`,
    );

    assert.equal(await page.evaluate('__same'), true);
  });

  test('the tabs of one browser share one stream, receive the same, and one takes over from the other', async () => {
    const account = await service.account();
    const [one, two] = await tabsOf(account);
    await account.group('Berlin');
    await Promise.all([one.reads('Berlin'), two.reads('Berlin')]);
    const streams = (page: PanelPage): number =>
      page.requests.filter((each) => each.endsWith('/panel/api/events')).length;
    const opened = [streams(one), streams(two)];

    await one.close();
    await account.group('Hamburg');
    await two.reads('Hamburg');

    assert.deepEqual(opened, [1, 0]);
    assert.equal(streams(two), 1);
  });

  test('a removed member is signed out at once', async () => {
    const account = await service.account();
    const technician = await account.member([{ type: 'team', permissions: ['team_api_key'] }]);
    await setPassword(service, account, technician, 'battery staple 9');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await signInAs(page, service, account, technician);
    await page.visit('/panel/integration');

    await account.owner.call('team/member/remove', { email: technician.email });

    await page.reads('Forgot your password?');
  });
});
