/**
 * Foreign pages in the browser of someone who is signed in at the panel: they change nothing, read nothing,
 * and frame no part of it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../kit/server/account.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openPanelPage, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { freePort } from '../../kit/free-port.ts';
import {
  startForeignSite,
  submitAllForms,
  tryAllRequests,
  untilNotFramed,
  type ForeignSite,
  type ForgedRequest,
} from '../../kit/hostile/foreign-site.ts';

/**
 * By the host names of the foreign page. To browsers the first two belong to the panel's site: they send its
 * cookie.
 */
const places = {
  'another port of the same machine': 'panel.house.test',
  'a neighbour under the same domain': 'blog.house.test',
  'another site': 'evil.elsewhere.test',
};

/** All these names resolve to this machine. */
const names = '--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost';

const forgedRequests: readonly ForgedRequest[] = [
  ['v1/keys/create', { name: 'evil' }],
  ['v1/groups/create', { name: 'evil' }],
  ['v1/support/create?client_name=evil', {}],
  ['v1/team/member/invite', { email: 'evil@example.com' }],
  ['me/password', { password: 'evil horse 77' }],
  ['me/totp/begin', {}],
  ['me/sessions/end-all', {}],
  ['sign-out', {}],
];
const paths = ['me', 'me/sessions', 'devices', 'v1/keys/list', 'v1/agents/list'];

/** Anyone who could replace our cookie could choose the signed-in account. */
const forgeCookie = `for (const more of ['', '; domain=house.test'])
  document.cookie = '__Host-drawbridge=${'A'.repeat(43)}; path=/; secure' + more`;

describe('a page of another site', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  let foreignSite: ForeignSite;
  before(async () => {
    const port = await freePort();
    const env = {
      DRAWBRIDGE_LISTEN: `127.0.0.1:${port}`,
      DRAWBRIDGE_PUBLIC_URL: `https://panel.house.test:${port}`,
    };
    [service, browser, foreignSite] = await Promise.all([
      startService({ env }),
      openBrowser({ flags: [names] }),
      startForeignSite(),
    ]);
  });
  after(async () => {
    await browser.close();
    await foreignSite[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  const base = (): string => service.server.config.publicUrl;

  async function victim(): Promise<{ account: TestAccount; page: PanelPage }> {
    const account = await service.account();
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, base());
    await page.visit('/panel/profile');
    await page.fill('E-mail address', account.owner.email);
    await page.fill('Password', 'correct horse 7');
    await page.press('Sign in');
    await page.reads('Where you are signed in');
    return { account, page };
  }

  /** The foreign page, in the same browser. */
  async function visit(name: string, beside: PanelPage): Promise<BrowserPage> {
    const page = await browser.page(beside);
    await page.goto(`https://${name}:${foreignSite.port}/`);
    return page;
  }

  /** Everything an attacker would like to change. */
  async function stateOf({ id: accountId, owner }: TestAccount): Promise<unknown> {
    const { panel, factors } = service.server.store;
    const memberRef = { accountId, memberId: owner.id };
    const [person, sessions, app] = [
      await panel.find(memberRef),
      await panel.sessions(memberRef),
      await factors.totp(memberRef),
    ];
    const lists = ['keys/list', 'groups/list', 'support/list', 'team/member/list'] as const;
    const listed = [];
    for (const list of lists)
      listed.push(
        (await owner.call(list)).body['data'].map(({ id, email }: ForgedRequest[1]) => id ?? email),
      );
    return { person, sessions: sessions.map((each) => each.id), app, listed };
  }

  for (const [place, name] of Object.entries(places)) {
    test(`from ${place}: nothing changes, and nothing can be read`, async () => {
      const { account, page } = await victim();
      const previous = await stateOf(account);
      const elsewhere = await visit(name, page);

      const read = await tryAllRequests(elsewhere, base(), { forgedRequests, paths });
      await submitAllForms(elsewhere, base(), forgedRequests);

      assert.deepEqual([read, await stateOf(account)], [[], previous]);
      await elsewhere.evaluate(forgeCookie);
      await page.visit('/panel/profile');
      await page.reads('Where you are signed in');
    });

    test(`from ${place}: the panel cannot be framed, and a window with it is isolated`, async () => {
      const { page } = await victim();
      const elsewhere = await visit(name, page);

      await untilNotFramed(elsewhere, `${base()}/panel/profile`);
      await elsewhere.byHand(`globalThis.opened = open(${JSON.stringify(`${base()}/panel/profile`)})`);
      await elsewhere.until('opened.closed');
      await elsewhere.evaluate(`opened.postMessage({ kind: 'end' }, '*')`);
      const tab = await browser.opened(elsewhere);
      await tab.until(`document.body.innerText.includes('Where you are signed in')`);

      assert.equal(await tab.evaluate('opener'), null);
    });
  }
});
