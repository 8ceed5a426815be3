/**
 * Every page of the panel is visited: empty, and with hostile text in every field; wide and narrow, light and
 * dark.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildWeb, webFolder as built } from '../../../scripts/build-web.ts';
import { createScreenshotList } from '../../../scripts/pictures/panel-pages.ts';
import type { TestAccount } from '../../kit/server/account.ts';
import { accessibilityProblems } from '../../kit/browser/accessibility.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { EmulationOptions } from '../../kit/browser/any-page.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import {
  allPagePaths,
  openPanelPage,
  signInAs,
  visitInLooks,
  type PanelPage,
} from '../../kit/browser/panel-browser.ts';
import { setPassword } from '../../kit/server/panel.ts';
import { fillPanelAccount, emptyAccountParts, type PanelFixture } from '../../kit/server/panel-fixture.ts';

const skip = skipWithout('Chromium');
/** Of an empty account. */
const looks = {
  'wide and light': { width: 1_280, height: 800 },
  'narrow and dark': { width: 390, height: 844, phone: true, dark: true },
};
/** Of a full account. The order differs, so that a page that was loaded wide while it was empty is loaded narrow now. */
const otherLooks = {
  'narrow and light': { width: 390, height: 844, phone: true },
  'wide and dark': { width: 1_280, height: 800, dark: true },
};

/** Set by a script, if one ever runs. */
const ran = 'globalThis.__ran';
/** How far the page can be scrolled to the side. On a phone, innerWidth grows with the content. */
const aside = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const isRefusal = (error: string): boolean => /status of 403/.test(error);

test('every page has its pictures in the documentation', () => {
  const parts = Object.fromEntries(
    Object.keys(emptyAccountParts({ owner: {} } as never)).map((each) => [each, '1']),
  );
  // It only leads to one of the others.
  const shown = createScreenshotList(parts).filter(({ name }) => name !== 'admin');
  const wanted = shown.flatMap(({ name }) => [`${name}-light.png`, `${name}-dark.png`]);

  const there = new Set(readdirSync(join(import.meta.dirname, '../../../docs/pictures/panel')));

  assert.deepEqual(
    wanted.filter((name) => !there.has(name)),
    [],
  );
});

test('what the panel loads before it shows anything is less than 200 kB, compressed', async () => {
  await buildWeb();
  const page = readFileSync(join(built, 'panel.html'), 'utf8');
  const named = Array.from(page.matchAll(/(?:src|href)="\/app\/([\w.-]+)"/g), ([, name]) => name!);

  const sizes = named.map((name) => gzipSync(readFileSync(join(built, name))).length);

  assert.deepEqual(named, ['panel.css', 'panel.js']);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 200_000, sizes.join(' and '));
});

describe('the pages of the panel', { skip }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startService({ realTime: true }), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  async function enter(account: TestAccount): Promise<PanelPage> {
    await setPassword(service, account, account.owner, 'correct horse 7');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await signInAs(page, service, account, account.owner);
    return page;
  }

  type Looks = Readonly<Record<string, EmulationOptions>>;

  async function walk(page: PanelPage, chosen: Looks, paths: readonly string[]): Promise<void> {
    await visitInLooks(page, chosen, paths, async (where) => {
      assert.deepEqual(await accessibilityProblems(page), [], where);
      assert.ok((await page.evaluate<number>(aside)) <= 0, `${where} is wider than the screen`);
      assert.equal(await page.evaluate(ran), undefined, `${where} ran a script`);
    });
    // A browser logs every refusal, and a page learns from a refusal that something does not exist.
    assert.deepEqual([page.violations, page.errors.filter((each) => !isRefusal(each))], [[], []]);
  }

  const pathsOf = (it: PanelFixture): string[] => [
    ...allPagePaths(it.parts),
    ...it.tabs.map((tab) => `/panel/devices/${it.parts['devices:id']}?tab=${tab}`),
  ];

  test('empty, wide and light, narrow and dark', async () => {
    const account = await service.account();
    const page = await enter(account);

    await walk(page, looks, allPagePaths(emptyAccountParts(account)));
  });

  test('with hostile text in every field, narrow and light, wide and dark: nothing runs', async () => {
    const account = await service.account();
    const it = await fillPanelAccount(service, account);
    const page = await enter(account);

    await walk(page, otherLooks, pathsOf(it));
  });

  test('a page that does not exist, and one that may not be seen, show the same', async () => {
    const account = await service.account();
    const person = await account.member([{ type: 'quick_support', permissions: ['quick_support_admin'] }]);
    await setPassword(service, account, person, 'correct horse 7');
    const page = await openPanelPage(browser, service.server.config.publicUrl);
    await signInAs(page, service, account, person);
    const seen: string[] = [];

    for (const path of ['/panel/nowhere', '/panel/team', '/panel/admin/audit', '/panel/server']) {
      await page.visit(path);
      seen.push(await page.evaluate<string>(`document.querySelector('main').innerText`));
    }

    assert.match(seen[0]!, /There is no such page/);
    assert.deepEqual(new Set(seen).size, 1);
  });

  test('the sign-in pages, with a link and without, are accessible', async () => {
    for (const [name, look] of Object.entries({ ...looks, ...otherLooks })) {
      const page = await openPanelPage(browser, service.server.config.publicUrl);
      await walk(page, { [name]: look }, ['/sign-in', '/sign-in/nonsense', '/invite/nonsense']);
    }
  });
});
