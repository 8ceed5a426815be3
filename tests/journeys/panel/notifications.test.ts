/** Notifications in a real browser: subscribing, the bell, the messages, the list and the settings. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../kit/server/account.ts';
import { grantPermissions } from '../../kit/browser/browser-dialogs.ts';
import { eventually } from '../../kit/eventually.ts';
import { joinLobby } from '../../kit/session/session-ends.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openMailbox, type Mailbox } from '../../kit/server/mailbox.ts';
import { startRounds } from '../../kit/server/notification-rounds.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

const minute = 60;

const lookElsewhere = `document.hasFocus = () => false`;

/** As in browsers that refuse service workers: the page then shows notifications itself, which this records. */
const recordNotifications = `{
  globalThis.shown = [];
  const { permission } = Notification;
  globalThis.Notification = class extends EventTarget {
    static permission = permission;
    constructor(title, { tag }) { super(); shown.push([title, tag.replace(/\\d+/, 'N')]); }
  };
  navigator.serviceWorker.register = () => Promise.reject(new Error('untrusted certificate'));
  ${lookElsewhere};
}`;

/** What the service worker shows now. */
const shownByWorker = `navigator.serviceWorker.getRegistration('/app/notifications/')
  .then((found) => found?.getNotifications() ?? [])
  .then((all) => all.map(({ title, data }) => [title, data]))`;

describe('notifications in the panel', { skip: skipWithout('Chromium') }, () => {
  let mailbox: Mailbox;
  let service: TestService;
  let browser: Browser;
  before(async () => {
    mailbox = await openMailbox();
    [service, browser] = await Promise.all([startService({ env: mailbox.env }), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    for (const each of [service, mailbox]) await each[Symbol.asyncDispose]();
  });

  async function enter(account: TestAccount, path: string): Promise<PanelPage> {
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await page.emulate({ width: 1_280, height: 800 });
    await signInAs(page, service, account, account.owner);
    await page.visit(path);
    return page;
  }

  const rounds = () => startRounds(service.server.store, service.advance, service.server.notifier);

  test('a person subscribes to a device, is notified live when it goes offline, and marks it as read', async () => {
    const account = await service.account();
    const { id } = await account.agent({ name: 'Till' });
    const page = await enter(account, `/panel/devices/${id}?tab=notifications`);
    await page.reads('You are not subscribed to this device.');
    await page.press('A device is offline');
    await page.fill('Minutes offline before it is reported', '2000');
    await page.press('Save');
    await page.until(`document.querySelector('input[name=minutes][aria-invalid=true]')`);
    await page.fill('Minutes offline before it is reported', '1');
    await page.press('Save');
    await page.reads('This subscription decides for this device alone.');
    const passing = rounds();
    await passing.online(id);
    await passing.pass(minute);

    await passing.offline(id);
    await passing.pass(3 * minute);

    await page.until(`document.querySelector('.notices')?.innerText.includes('Till is offline')`);
    await page.until(`document.querySelector('.bell-count')?.innerText === '1'`);
    await page.press('Notifications, 1 unread');
    await page.until(`document.querySelector('.notification.unread a')?.innerText === 'Till is offline'`);
    await page.press('Mark all as read');
    await page.until(`!document.querySelector('.notification.unread, .bell-count')`);
    assert.match(await page.text(), /Till is offline/);
  });

  test('a person subscribes to a group and to clients, and chooses the browser as a channel', async () => {
    const account = await service.account();
    const groupId = await account.group('Shop');
    const page = await enter(account, '/panel/notifications');
    await page.reads('No notifications');
    await page.press('Open the settings');
    await grantPermissions(page, ['notifications']);
    await page.press('Turn on');
    await page.reads('They are on in this browser.');
    await page.evaluate(recordNotifications);
    await page.press('Devices');
    await page.press('Menu of the group Shop');
    await page.press('Notify me');
    await page.answer('A new device is added');
    await page.answer('Save');
    await page.reads('The subscription is saved.');

    await account.agent({ name: 'Lamp', groupId });
    await account.agent({ name: 'Desk', groupId });
    await rounds().pass(2 * minute);

    await page.until(`shown.length > 0`);
    assert.deepEqual(await page.evaluate('shown'), [
      ['2 new devices: Desk and Lamp', 'drawbridge-notification-N'],
    ]);
    await page.press('Notifications, 1 unread');
    await page.press('Settings');
    await page.reads('Group Shop');
    await page.press('End the subscription to Group Shop');
    await page.reads('You have no subscriptions to devices or groups.');
  });

  test('a person chooses which notifications are mailed', async () => {
    const account = await service.account();
    const page = await enter(account, '/panel/notifications/settings');
    const names = (): Promise<string[]> =>
      page.evaluate(`[...document.querySelectorAll('form')].find((each) => each.innerText.includes('Also by e-mail'))
        .querySelectorAll(':checked').values().map(({ labels: [label] }) => label.innerText.trim()).toArray()`);
    const standard = await names();

    for (const kind of ['A device is back online', 'Somebody else begins a session']) await page.press(kind);
    await page.press('Save');
    await page.reads('Saved.');
    await page.visit('/panel/notifications/settings');

    assert.deepEqual(standard, ['A device is offline', 'A device is back online', 'A new device is added']);
    assert.deepEqual(await names(), [
      'A device is offline',
      'Somebody else begins a session',
      'A new device is added',
    ]);
  });

  test('on the quick support page a click turns on notifications of waiting clients, which arrive without the page', async () => {
    const account = await service.account();
    const page = await enter(account, '/panel/support');
    assert.equal(await page.evaluate('Notification.permission'), 'default');
    assert.equal(
      await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)'),
      0,
    );
    await grantPermissions(page, ['notifications']);
    await page.press('Notify me when a client waits');
    await page.reads('You will be notified when a client waits');
    await page.until(`!document.body.innerText.includes('Notify me when a client waits')`);
    await page.evaluate(lookElsewhere);

    const { body } = await account.owner.call('support/create', { client_name: '' });
    await using _client = await joinLobby(service.testClient.baseUrl, body['data'].invite_code as string);
    // More would end the lease of the client, who renews it in real time.
    await rounds().pass(1);

    const [shown] = await eventually(
      () => page.evaluate<string[][]>(shownByWorker),
      (all) => all.length > 0,
    );
    assert.deepEqual(shown, ['A client is waiting', '/panel/support']);
    assert.deepEqual(
      await page.evaluate(`navigator.serviceWorker.getRegistrations()
        .then((all) => all.map(({ scope }) => new URL(scope).pathname))`),
      ['/app/notifications/'],
    );
    assert.equal(await page.evaluate('navigator.serviceWorker.controller'), null);

    await page.visit('/panel/notifications/settings');
    await page.press('Turn off');
    await page.until(`navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)`);
    assert.deepEqual(page.violations, []);
  });
});
