/** Access for a while in a real browser: ask for a group, approve, connect to its device, and be out when it ends. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { skipWithout } from '../../kit/requirements.ts';
import type { TestPerson } from '../../kit/server/account.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import {
  attendedDevice,
  joinRelay,
  openSessionLink,
  type AttendedDevice,
} from '../../kit/session/session-ends.ts';
import { startStopwatch } from '../../kit/stopwatch.ts';

/** Tabs that the page opens are only recorded. */
const watchTabs = `globalThis.__tabs = [];
  globalThis.open = () => ({ location: { replace: (address) => __tabs.push(address) }, close() {} });`;

describe('access for a while in the panel', { skip: skipWithout('Chromium') }, () => {
  let browser: Browser;
  let service: TestService;
  let it: AttendedDevice;
  before(async () => {
    browser = await openBrowser({ wholeBrowser: true });
    service = await startService();
    it = await attendedDevice(service);
  });
  after(async () => {
    await browser.close();
    await it.device[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  async function enter(person: TestPerson, path: string): Promise<PanelPage> {
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate({ width: 1_280, height: 800 });
    await setPassword(service, it.account, person, 'correct horse 7');
    await signInAs(page, service, it.account, person);
    await page.visit(path);
    return page;
  }

  test('ask for a group, approve, connect, and be out when the time is over', async () => {
    const { account, owner, device } = it;
    const groupId = await account.group('Bern');
    await owner.call('groups/agent/insert', { id: groupId, agent_id: device.id });
    const role = { name: 'Helpers', description: '', type: 'group', permission: ['agent_connect'] };
    await owner.call('team/role/create', role);
    await owner.call('team/access/request/settings', { max_minutes: 1 });
    const tech = await account.member([{ type: 'group', permissions: ['agent_chat'], groupId }]);
    const [asking, deciding] = [
      await enter(tech, '/panel/devices'),
      await enter(owner, '/panel/notifications'),
    ] as const;

    await asking.press('Menu of the group Bern');
    await asking.press('Ask for access');
    await asking.reads('Ask for access to Bern');
    await asking.choose('Role', 'Helpers');
    await asking.fill('Reason', 'Ticket 77');
    await asking.answer('Ask');
    await asking.reads('Asked. You have access as soon as somebody approves.');
    const title = `${tech.email} asks for access: Helpers on Bern`;
    await deciding.until(`document.querySelector('.notices')?.innerText.includes('${title}')`);
    await deciding.until(`document.querySelector('.bell-count')?.innerText === '1'`);
    await deciding.press(title);
    await deciding.reads('Ticket 77');
    await deciding.press('Approve');
    await deciding.until(`!document.querySelector('.bell-count')`);
    await deciding.visit('/panel/requests');
    await deciding.reads('Access given');
    await asking.visit(`/panel/devices/${device.id}`);
    await asking.evaluate(watchTabs);
    await asking.press('Connect');
    const opened = await openSessionLink(service, await asking.until<string>('__tabs[0]'));
    await using operator = joinRelay(opened);
    await operator.paired;
    assert.equal(device.grants.at(-1)!.reason, 'Ticket 77');

    service.advance(60);
    using started = startStopwatch();
    const { code } = await operator.closed;
    await asking.reads('Ask for access');

    assert.ok(started.ms() <= 5_000, `${started.ms()} ms`);
    assert.equal(code, 4_005);
    const { body: history } = await owner.call('history/list');
    assert.equal(history['data'][0].reason, 'Ticket 77');
    const { body: log } = await owner.call('audit/list', { operation: 'team/access/request/create' });
    const [asked] = log['data'];
    assert.deepEqual([asked.email, asked.input.reason, asked.outcome], [tech.email, 'Ticket 77', 'done']);
    await deciding.visit('/panel/requests');
    await deciding.reads('Ended');
    assert.deepEqual([...asking.violations, ...deciding.violations], []);
  });
});
