/**
 * Every page of the panel with 10,000 of everything in it: little is rendered and no more requested than
 * needed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../kit/server/account.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { EmulationOptions } from '../../kit/browser/any-page.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { allPagePaths, openPanelPage, signInAs, type PanelPage } from '../../kit/browser/panel-browser.ts';
import { manyRows, manyGroups } from '../../kit/server/large-account/rows.ts';
import { fillLargeAccount } from '../../kit/server/large-account.ts';
import { setPassword } from '../../kit/server/panel.ts';
import type { PanelFixture } from '../../kit/server/panel-fixture.ts';

const skip = skipWithout('Chromium');
const looks: Record<string, EmulationOptions> = {
  wide: { width: 1_280, height: 800 },
  narrow: { width: 390, height: 844, phone: true },
};

/** A list that is rendered completely has at least ten elements per row. */
const mostElements = 3_000;
/** What a page may receive, in bytes before compression. */
const mostBytes = 150_000;
/** These keep a whole list, to search in it at once; ten thousand short entries are at most this large. */
const keepsWhole = /\/(support|devices|add|duplicates|profile|integration)$|\/team|tab=(software|access)/;
const mostWhole = 5_000_000;

const aside = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const drawn = `document.querySelectorAll('body *').length`;
const receivedBytes = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.includes('/panel/api/'))
  .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`;

/** The rendered rows of the table, by the text of their first link. */
const rows = `[...document.querySelectorAll('[role=rowgroup] [role=row] a')].map((each) => each.innerText)`;
const rowsInView = `[...document.querySelectorAll('[role=rowgroup] [role=row]')].filter((row) => {
  const { top, bottom } = row.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}).map((row) => row.querySelector('a').innerText)`;
/** Scrolls on by several screens in each frame until only names are shown, and returns these. */
const passRows = `new Promise((resolve) => {
  const passing = document.querySelector('.table-passing');
  const jump = () => {
    if (!passing.hidden) return resolve(passing.innerText.split('\\n'));
    scrollTo(0, (scrollY + 3 * innerHeight) % (document.documentElement.scrollHeight - innerHeight));
    requestAnimationFrame(jump);
  };
  jump();
})`;
const counted = `document.querySelector('.select-all').innerText`;
const focused = 'document.activeElement.innerText';

describe('the pages of the panel with 10,000 of everything', { skip }, () => {
  let service: TestService;
  let browser: Browser;
  let account: TestAccount;
  let page: PanelPage;
  let it: PanelFixture;
  before(async () => {
    [service, browser] = await Promise.all([startService({ realTime: true }), openBrowser()]);
    account = await service.account();
    await setPassword(service, account, account.owner, 'correct horse 7');
    it = await fillLargeAccount(service, account);
    page = await openPanelPage(browser, service.server.config.publicUrl);
    // So that none of a page's requests is dropped.
    const source = 'performance.setResourceTimingBufferSize(10_000)';
    await page.tab.evaluateOnNewDocument(source);
    await signInAs(page, service, account, account.owner);
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  const pathsOf = ({ parts, tabs }: PanelFixture): string[] => [
    ...allPagePaths(parts),
    ...tabs.map((tab) => `/panel/devices/${parts['devices:id']}?tab=${tab}`),
    ...['group', 'person'].map((by) => `/panel/team/access?by=${by}`),
    `/panel/team/access?by=device&of=${parts['devices:id']}`,
    `/panel/team/access?by=group&of=${parts['groups:id']}`,
    `/panel/team/access?by=person&of=${parts['people:email']}`,
  ];

  for (const [name, look] of Object.entries(looks))
    test(`each renders little and receives little, ${name}`, async (context) => {
      await page.emulate(look);
      for (const path of pathsOf(it)) {
        await page.visit(path);
        const [elements, bytes] = [
          await page.evaluate<number>(drawn),
          await page.evaluate<number>(receivedBytes),
        ];
        context.diagnostic(`${path}: ${elements} elements, ${Math.round(bytes / 1_000)} kB told`);
        assert.ok(elements < mostElements, `${path} draws ${elements} elements`);
        const most = keepsWhole.test(path) ? mostWhole : mostBytes;
        assert.ok(bytes > 0 && bytes < most, `${path} is told ${bytes} bytes`);
        assert.ok((await page.evaluate<number>(aside)) <= 0, `${path} is wider than the screen`);
      }
      assert.deepEqual([page.violations, page.errors], [[], []]);
    });

  test('the last page of a paged list shows its end', async () => {
    for (const [path, says] of [
      ['/panel/support?page=209', 'Client 00001'],
      ['/panel/devices/duplicates?page=100', 'Workplace 09999'],
      ['/panel/history?page=200', `10,000`],
      ['/panel/server?page=41', 'owner-02000@example.com'],
    ] as const) {
      await page.visit(path);
      await page.reads(says);
    }
  });

  test('the accounts of the server are sorted over all pages, by the server', async () => {
    await page.emulate(looks['wide']!);
    await page.visit('/panel/server');
    assert.ok((await page.text()).includes('owner-00001@example.com'));

    for (const first of ['owner-00001@example.com', 'owner-02000@example.com']) {
      await page.press('Owner');
      await page.reads(first);
    }
    assert.ok(!(await page.text()).includes('owner-00001@example.com'));
  });

  test('dialogs in which one of 10,000 is chosen offer the first ones and a search', async () => {
    await page.emulate(looks['wide']!);
    await page.visit('/panel/team/access');
    await page.press('Give access');
    await page.until(`document.querySelector('dialog[open] [type=radio]')`);
    assert.ok((await page.evaluate<number>(drawn)) < mostElements);

    await page.fill('Role: Search', 'Role 09999');
    await page.until(`document.querySelector('dialog[open]').innerText.includes('Role 09999')`);
  });

  describe('the list of devices', () => {
    before(async () => {
      await page.emulate(looks['wide']!);
      await page.visit('/panel/devices');
    });

    const search = (text: string): Promise<void> => page.fill('Search (press /)', text);

    test('is narrowed down by a search while typing, and the field keeps the focus', async () => {
      for (const [text, found] of [
        ['workplace 04242', 1],
        ['500004242', 1],
        ['user-777', 11],
        ['office DK', manyRows / manyGroups],
        ['no such device', 0],
      ] as const) {
        await search(text);
        await page.until(`${counted} === '${found} of 10,000 devices'`);
        assert.equal(await page.evaluate('document.activeElement.type'), 'search');
      }

      await search('user-777');
      await page.until(`${rows}.length === 11`);
      const names = await page.evaluate<string[]>(rows);
      assert.ok(
        names.every((name) => name.includes('777')),
        names.join(),
      );
      await search('');
      await page.until(`${counted}.includes('10,000')`);
    });

    test('shows its last device at the end', async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await page.until(`${rows}.at(-1) === 'Workplace 10000'`);
      assert.ok((await page.evaluate<number>(drawn)) < mostElements);
      const bottom = `[...document.querySelectorAll('[role=row]')].at(-1).getBoundingClientRect().bottom <= innerHeight`;
      assert.equal(await page.evaluate(bottom), true);
    });

    test('shows the names of rows that pass too fast to be read, and whole rows after that', async () => {
      const names = await page.evaluate<string[]>(passRows);
      assert.equal(await page.evaluate(`document.querySelector('.table-passing').ariaHidden`), 'true');
      await page.until(`document.querySelector('.table-passing').hidden`);
      await page.until(`${rowsInView}.length > 0`);
      assert.deepEqual(await page.evaluate(rowsInView), names);
    });

    test('is sorted as a whole by a heading', async () => {
      await page.evaluate('scrollTo(0, 0)');
      for (const first of ['Workplace 00001', 'Workplace 10000', 'Workplace 00003']) {
        await page.press('Device');
        await page.until(`${rows}[0] === '${first}'`);
      }
    });

    test('keeps the focus of a row that is scrolled away, also when something changes meanwhile', async () => {
      await page.evaluate('scrollTo(0, 0)');
      await page.until(`${rows}[0] === 'Workplace 00003'`);
      await page.evaluate(
        `document.querySelector('[role=rowgroup] [role=row] a').focus({ preventScroll: true })`,
      );

      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await page.until(`${rows}.at(-1) === 'Workplace 10000'`);
      const { http } = await account.owner.call('agents/update', {
        id: 1_000_000 + manyRows,
        name: 'Workplace zz',
      });
      assert.equal(http, 200);
      await page.until(`${rows}.at(-1) === 'Workplace zz'`);
      assert.equal(await page.evaluate(focused), 'Workplace 00003');

      // The next key continues from there.
      await page.tab.keyboard.press('Tab');
      await page.until(`document.activeElement.closest('[role=row]')?.innerText.includes('Workplace 00003')`);
      await page.until('scrollY < 1000');
    });

    test('as tiles shows its last device at the end too', async () => {
      await page.press('Show as tiles');
      // The number of columns is known once the first tiles are rendered: only then is the end fixed.
      const last = `[...document.querySelectorAll('.tile')].at(-1)?.innerText.includes('Workplace zz')`;
      await page.until(`(scrollTo(0, document.documentElement.scrollHeight), ${last})`);
      assert.ok((await page.evaluate<number>(drawn)) < mostElements);
    });
  });
});
