/**
 * Authentication in a real browser: passkeys, codes, recovery codes, the password; and how each of them ends.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freshLifetime } from '@drawbridge/contract/panel/step-up';
import { codeOfStep, stepAt } from '@drawbridge/server/panel/sign-in/totp';
import type { TestAccount } from '../../kit/server/account.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { addVirtualAuthenticator } from '../../kit/browser/virtual-authenticator.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { eventually } from '../../kit/eventually.ts';

const password = 'correct horse 7';
const inside = `document.querySelector('nav[aria-label="Main menu"]')`;
const outside = 'Forgot your password?';
const asksAgain = 'Confirm that it is you';

const meAsked = ({ requests }: PanelPage): number =>
  requests.filter((each) => each.endsWith('/panel/api/me')).length;

const wrongCode = (right: string): string => (right === '000000' ? '000001' : '000000');

describe('authentication', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    // Its clock is fixed, so that codes and sign-ins are as old as the test says.
    [service, browser] = await Promise.all([startService(), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  async function somebody(): Promise<TestAccount> {
    const account = await service.account();
    await setPassword(service, account, account.owner, password);
    return account;
  }

  const open = (beside?: PanelPage): Promise<PanelPage> =>
    openPanelPage(browser, service.server.config.publicUrl, beside);

  /** Enters address and password; the test continues from there. */
  async function give({ owner }: TestAccount, page: PanelPage, word = password): Promise<void> {
    await page.visit('/panel/profile');
    await page.fill('E-mail address', owner.email);
    await page.fill('Password', word);
    await page.press('Sign in');
  }

  async function enter(account: TestAccount): Promise<PanelPage> {
    const page = await open();
    await give(account, page);
    await page.reads('Where you are signed in');
    return page;
  }

  async function leave(page: PanelPage, { owner }: TestAccount): Promise<void> {
    await page.visit('/panel/integration');
    await page.press(owner.email);
    await page.press('Sign out');
    await page.reads(outside);
  }

  async function wishForKey(page: PanelPage, name: string): Promise<void> {
    await page.visit('/panel/integration');
    await page.press('Create a key');
    await page.fill('Name', name);
    await page.fill('Only from these networks', '10.0.0.0/8');
    await page.press('Create the key');
  }

  /** The password is right, and a code is required. */
  async function asked(account: TestAccount): Promise<PanelPage> {
    const page = await open();
    await give(account, page);
    await page.reads('One more step');
    return page;
  }

  const keysOf = async ({ owner }: TestAccount): Promise<Record<string, unknown>[]> =>
    (await owner.call('keys/list')).body['data'];

  const namesOf = async (account: TestAccount): Promise<unknown[]> =>
    (await keysOf(account)).map(({ name }) => name).toSorted();

  test('a passkey is created, signs in, re-authenticates, and is useless once removed', async () => {
    const account = await somebody();
    const page = await enter(account);
    await addVirtualAuthenticator(page);
    await page.press('Add a passkey');
    await page.fill('Name', 'Key ring');
    await page.press('Continue');
    await page.reads('The passkey is added.');
    await page.reads('Key ring');

    await leave(page, account);
    await page.press('Sign in with a passkey');
    await page.until(inside);
    service.advance(freshLifetime + 1);
    await wishForKey(page, 'By passkey');
    await page.press('Use a passkey');
    await page.reads('Your new key');
    await page.visit('/panel/profile');
    await page.press('Remove Key ring');
    await page.answer('Remove');
    await page.reads('You have no passkey yet.');
    await leave(page, account);
    await page.press('Sign in with a passkey');
    await page.reads('This passkey does not belong to any account on this server.');

    assert.deepEqual(await namesOf(account), ['By passkey', 'First key']);
    assert.deepEqual(page.violations, []);
  });

  test('an app is set up on the page; then its code is required, and a recovery code works once', async () => {
    const account = await somebody();
    const page = await enter(account);
    await page.press('Set it up');
    const secret = await page.until<string>(
      `document.querySelector('[aria-label="Key for the authenticator app"]')?.textContent`,
    );
    const codeNow = (): string => codeOfStep(secret, stepAt(service.server.store.now()));
    await page.fill('Code that the app shows now', wrongCode(codeNow()));
    await page.press('Turn it on');
    await page.reads('This is not the code that the app shows now.');
    await page.fill('Code that the app shows now', codeNow());
    await page.press('Turn it on');
    const recovery = await page.until<string>(`document.querySelector('.recovery-codes code')?.textContent`);
    // The codes are shown only now: Escape, even several times, does not close them.
    for (let at = 0; at < 3; at += 1) await page.tab.keyboard.press('Escape');
    assert.equal(
      await page.evaluate(`document.querySelector('dialog[open] .recovery-codes code')?.textContent`),
      recovery,
    );
    await page.press('I have saved them');
    await page.reads('10 recovery codes are left.');
    service.advance(60);

    const code = codeNow();
    const other = await asked(account);
    await other.fill('Code', wrongCode(code));
    await other.press('Continue');
    await other.reads('The code is wrong or was already used.');
    await other.fill('Code', code);
    await other.press('Continue');
    await other.until(inside);
    const again = await asked(account);
    await again.fill('Code', code);
    await again.press('Continue');
    await again.reads('The code is wrong or was already used.');
    await again.press('Use a recovery code instead');
    await again.fill('Recovery code', recovery);
    await again.press('Continue');
    await again.reads('9 recovery codes are left.');
    const third = await asked(account);
    await third.press('Use a recovery code instead');
    await third.fill('Recovery code', recovery);
    await third.press('Continue');
    await third.reads('The code is wrong or was already used.');

    assert.equal(await third.evaluate(`Boolean(${inside})`), false);
  });

  test('one browser is signed out from another, a new password ends the others, and all can be ended at once', async () => {
    const account = await somebody();
    const here = await enter(account);
    const there = await enter(account);
    await here.until(`document.querySelectorAll('[title="Sign out Chrome on Linux"]').length === 1`);
    await here.press('Sign out');
    await here.reads('You are signed out there.');
    await there.reads(outside);

    await give(account, there);
    await there.reads('Where you are signed in');
    await here.press('Change the password');
    await here.fill('New password', 'battery staple 9');
    await here.press('Set the password');
    await here.reads('You are signed out everywhere else.');
    await there.reads(outside);
    await give(account, there);
    await there.reads('The e-mail address or the password is wrong.');
    await give(account, there, 'battery staple 9');
    await there.reads('Where you are signed in');

    await here.press('Sign out everywhere');
    await here.answer('Sign out everywhere');
    await Promise.all([here.reads(outside), there.reads(outside)]);
    await here.visit('/panel/profile');

    assert.match(await here.text(), /Forgot your password/);
  });

  test('after a while creating a key asks for the password: a wrong one is refused there, the right one continues', async () => {
    const account = await somebody();
    const page = await enter(account);
    const other = await open(page);
    await other.visit('/panel/devices');
    await page.tab.bringToFront();
    service.advance(freshLifetime + 1);

    await wishForKey(page, 'Backup reports');
    await page.reads(asksAgain);
    await page.fill('Your password', 'wrong horse 7');
    await page.press('Confirm');
    await page.reads('The password is wrong.');
    const [none, askedBefore] = [await namesOf(account), meAsked(other)];
    await page.tab.keyboard.press('Escape');
    await page.reads('Confirm that it is you, then try again.');
    await page.press('Create the key');
    await page.fill('Your password', password);
    await page.press('Confirm');
    await page.reads('Your new key');

    const made = (await keysOf(account)).find(({ name }) => name !== 'First key');
    assert.deepEqual(none, ['First key']);
    assert.deepEqual([made!['name'], made!['networks']], ['Backup reports', ['10.0.0.0/8']]);
    // Another tab of the same browser learns its new token.
    await eventually(
      () => meAsked(other),
      (times) => times > askedBefore,
    );
    await other.tab.bringToFront();
    await other.press('New group');
    await other.fill('Name', 'Berlin');
    await other.press('Create');
    await other.until(`!document.querySelector('dialog[open]')`);
    await other.reads('Berlin');
  });
});
