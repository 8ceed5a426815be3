/** Nothing that people need to see is cut off: the ring around the focused control, and the texts of long tables. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../kit/server/account.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
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
import { fillPanelAccount, type PanelFixture } from '../../kit/server/panel-fixture.ts';
import { runSql } from '../../kit/server/raw-sql.ts';

const looks = { wide: { width: 1_280, height: 800 }, narrow: { width: 390, height: 844, phone: true } };

/**
 * The controls without a ring, and those whose ring an ancestor cuts off. A ring counts as cut off if an ancestor that
 * does not scroll clips it; the first Tab makes the browser show rings.
 */
const brokenRings = `(() => {
  const clips = (style, axis) => ['hidden', 'clip'].includes(style['overflow' + axis]);
  const found = [];
  const controls = document.querySelectorAll('main :is(a[href], button, input, select, textarea, summary)');
  for (const control of controls) {
    if (!control.checkVisibility() || control.disabled || control.closest('[inert]')) continue;
    control.focus({ preventScroll: true });
    if (document.activeElement !== control) continue;
    const own = getComputedStyle(control);
    if (own.outlineStyle === 'none') {
      found.push('no ring: ' + (control.innerText || control.ariaLabel || control.className));
      continue;
    }
    const reach = parseFloat(own.outlineWidth) + parseFloat(own.outlineOffset) - 0.5;
    const { left, right, top, bottom } = control.getBoundingClientRect();
    for (let at = control.parentElement; at && at !== document.body; at = at.parentElement) {
      const [style, box] = [getComputedStyle(at), at.getBoundingClientRect()];
      const isCut =
        (clips(style, 'X') && (left - reach < box.left || right + reach > box.right)) ||
        (clips(style, 'Y') && (top - reach < box.top || bottom + reach > box.bottom));
      if (isCut) found.push((control.innerText || control.ariaLabel || control.className) + ' in ' + at.className);
    }
  }
  return found;
})()`;

describe('what people need to see', { skip: skipWithout('Chromium') }, () => {
  let service: TestService;
  let browser: Browser;
  let account: TestAccount;
  let page: PanelPage;
  let it: PanelFixture;
  before(async () => {
    [service, browser] = await Promise.all([startService({ realTime: true }), openBrowser()]);
    account = await service.account();
    it = await fillPanelAccount(service, account);
    await setPassword(service, account, account.owner, 'correct horse 7');
    page = await openPanelPage(browser, service.server.config.publicUrl);
    await signInAs(page, service, account, account.owner);
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  const pathsOf = ({ parts, tabs }: PanelFixture): string[] => [
    ...allPagePaths(parts),
    ...tabs.map((tab) => `/panel/devices/${parts['devices:id']}?tab=${tab}`),
  ];

  test('the focus ring of every control is whole, wide and narrow', () =>
    visitInLooks(page, looks, pathsOf(it), async (where) => {
      await page.tab.keyboard.press('Tab');
      assert.deepEqual(await page.evaluate(brokenRings), [], where);
    }));

  test('the texts of a long table stay on their lines, and each can be read as a whole', async () => {
    await page.emulate(looks.wide);
    const publisher =
      'Gesellschaft für Datenverarbeitung und Systementwicklung mbH & Co. KG, Niederlassung West';
    const programs = Array.from({ length: 250 }, (_, at) => ({
      name: `Program ${at} ${'with a long name '.repeat(6)}`,
      version: `1.${at}`,
      publisher,
      install_date: '2026-01-31',
    }));
    const id = it.parts['devices:id'];
    await runSql(service, `update agent set software = '${JSON.stringify(programs)}' where id = ${id}`);
    await page.visit(`/panel/devices/${id}?tab=software`);

    const cut = `[...document.querySelectorAll('.table.long [role=rowgroup] [role=cell]')].filter(
      (cell) => cell.scrollHeight > cell.clientHeight + 1 || cell.getBoundingClientRect().height > 40).length`;
    const untold = `[...document.querySelectorAll('.table.long [role=rowgroup] [role=cell]')].filter(
      (cell) => cell.scrollWidth > cell.clientWidth && !cell.title && !cell.querySelector('[title]')).length`;
    assert.deepEqual([await page.evaluate(cut), await page.evaluate(untold)], [0, 0]);
    assert.equal(await page.evaluate(`document.querySelector('[role=cell]:nth-child(3)').title`), publisher);
  });

  test('no cell of a long device list covers the one before it', async () => {
    await page.emulate(looks.wide);
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => account.agent({ name: `Conference room ${at}` })),
    );
    await page.visit('/panel/devices');
    await page.until(`document.querySelectorAll('.table.long [role=rowgroup] [role=row]').length > 5`);

    const covered = `[...document.querySelectorAll('.table.long [role=rowgroup] [role=cell]')].filter((cell) => {
      const next = cell.nextElementSibling;
      return next && next.getBoundingClientRect().left < cell.getBoundingClientRect().right - 1;
    }).length`;
    assert.equal(await page.evaluate(covered), 0);
  });
});
