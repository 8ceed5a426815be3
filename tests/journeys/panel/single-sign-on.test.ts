/** Single sign-on in a real browser: set up a provider, sign in as a new person, and be out after leaving it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import { openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import type { TestAccount } from '../../kit/server/account.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { oktaActive } from '../../provisioning/okta-requests.ts';
import { createProvider } from '../../provisioning/scim-provider.ts';
import { startStopwatch } from '../../kit/stopwatch.ts';
import { startOidcProvider, type OidcProvider } from '../../kit/sso/oidc-provider.ts';

describe('single sign-on in the panel', { skip: skipWithout('Chromium') }, () => {
  let browser: Browser;
  let service: TestService;
  let oidc: OidcProvider;
  let account: TestAccount;
  before(async () => {
    browser = await openBrowser({ wholeBrowser: true });
    service = await startService({ env: { DRAWBRIDGE_SSO_LOOPBACK: 'true' }, realTime: true });
    oidc = await startOidcProvider(service.server.config.publicUrl);
    account = await service.account();
    await setPassword(service, account, account.owner, 'correct horse 7');
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
    await oidc[Symbol.asyncDispose]();
  });

  const newPage = (): Promise<PanelPage> => openPanelPage(browser, service.testClient.baseUrl);

  /** Waits for a text while the browser goes from one page to another. */
  const arrives = (page: PanelPage, text: string): Promise<string> =>
    eventually(
      () => page.evaluate<string>('document.title + document.body.innerText').catch(() => ''),
      (shown) => shown.includes(text),
    );

  /** An open page shows the sign-in page within five seconds, without being touched. */
  async function isOut(page: PanelPage, end: () => Promise<unknown>): Promise<void> {
    using started = startStopwatch();
    await end();
    await page.reads('Forgot your password?');
    assert.ok(started.ms() <= 5_000, `${started.ms()} ms`);
  }

  test('set up a provider, sign in as a new person, be removed there, be out here, and be refused', async () => {
    oidc.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['staff'] });
    await account.department('Support');
    const owner = await newPage();
    await signInAs(owner, service, account, account.owner);
    await owner.visit('/panel/team/providers');
    await owner.reads('No identity provider yet');
    await owner.press('Add a provider');
    await owner.fill('Name', 'Company');
    await owner.fill('Issuer', oidc.issuer);
    await owner.fill('Client ID', oidc.clientId);
    await owner.fill('Client secret', oidc.clientSecret);
    await owner.answer('Add people who sign in for the first time');
    await owner.answer('Add');
    await owner.reads('Sign-in link');
    await owner.press('Test');
    await owner.reads('The certificate of the provider is not trusted.');
    await owner.press('Edit');
    await owner.fill('CA certificates', oidc.ca);
    await owner.fill('Client secret', oidc.clientSecret);
    await owner.answer('Save');
    await owner.until(`!document.querySelector('dialog[open]')`);
    await owner.press('Test');
    await owner.reads('readable and complete');
    await owner.press('Map a group');
    await owner.fill('Group', 'staff');
    await owner.choose('Department', 'Support');
    await owner.answer('Add');
    await owner.until(`!document.querySelector('dialog[open]')`);
    const [redirectUri, name] = /https:\S+\/panel\/sso\/([a-z2-9]{5}-[a-z2-9]{5})\/return/.exec(
      await owner.text(),
    )!;
    oidc.redirectUris.add(redirectUri);

    const page = await newPage();
    await page.visit('/panel');
    await page.press('Sign in with your organisation');
    await page.fill('Sign-in name', name!);
    await page.press('Continue');
    await arrives(page, 'Company');
    await page.evaluate(`document.querySelector('a[href$="/as/ann"]').click()`);
    await arrives(page, 'ann@example.com');
    assert.equal(await page.evaluate('location.search'), '');
    const { body } = await account.owner.call('team/member/list', { search: 'ann@' });
    assert.deepEqual(body['data'][0].departments[0].name, 'Support');

    await oidc.sendLogoutsTo(`${service.server.config.publicUrl}/panel/sso/${name!}/logout`, false);
    await isOut(page, () => oidc.signOutEverywhere('ann'));
    // Of a logout and a sign-in in the same second, the logout counts as the later one.
    const second = service.server.store.now();
    await eventually(service.server.store.now, (now) => now > second);
    await page.visit(`/panel/sso/${name!}`);
    await page.press('Continue');
    await arrives(page, 'ann@example.com');
    const scim = await createProvider(service.testClient, account.owner);
    await isOut(page, () => scim.send('PATCH', `/Users/${body['data'][0].id}`, oktaActive(false)));
    assert.match(await owner.text(), /panel\/sso\/[a-z2-9-]+\/logout/);

    oidc.people.clear();
    const later = await newPage();
    await later.visit(`/panel/sso/${name!}`);
    await later.press('Continue');
    await arrives(later, 'Company');
    await later.evaluate(`document.querySelector('a[href$="/deny"]').click()`);
    await arrives(later, 'The identity provider did not let you in.');
    await later.press('Back to sign-in');
    await later.reads('Forgot your password?');
    assert.deepEqual([...owner.violations, ...page.violations, ...later.violations], []);
  });
});
