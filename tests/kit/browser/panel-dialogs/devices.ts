/** Steps for the dialogs and menus of the list of devices, in the order in which they are used. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { saveDownloads } from '../browser-dialogs.ts';
import type { PanelPage } from '../panel-browser.ts';
import { eventually } from '../../eventually.ts';
import { bern, named, type DialogFixture } from './fixture.ts';
import {
  waitUntilClosed,
  waitUntilGone,
  waitUntilShown,
  toggle,
  waitForNotice,
  type DialogStep,
} from './step.ts';

const deviceSteps = (): DialogStep[] => [
  {
    title: 'Rename',
    from: 'devices/actions/rename.tsx',
    menu: `More for ${named('desk')}`,
    open: 'Rename',
    async act(page) {
      await page.fill('Name', named('table'));
      await page.answer('Save');
      await waitForNotice(page, 'Saved.');
      await waitUntilShown(page, named('table'));
    },
  },
  {
    title: 'Move 1 device',
    from: 'devices/groups/move.tsx',
    menu: `More for ${named('table')}`,
    open: 'Move to a group',
    async act(page) {
      await page.choose('Group', bern);
      await page.answer('Move');
      await waitForNotice(page, 'Done with 1 of 1.');
      await isIn(page, 'table', bern);
    },
  },
  {
    title: `Lock the screen of ${named('lamp')}?`,
    from: 'devices/actions/actions.tsx',
    menu: `More for ${named('lamp')}`,
    open: 'Lock the screen',
    async act(page) {
      await page.answer('Lock the screen');
      await waitForNotice(page, `The screen of ${named('lamp')} is locked.`);
    },
  },
  {
    title: `Reboot ${named('lamp')}?`,
    from: 'devices/actions/actions.tsx',
    menu: `More for ${named('lamp')}`,
    open: 'Reboot in safe mode',
    async act(page) {
      await page.answer('Reboot in safe mode');
      await waitForNotice(page, `${named('lamp')} is rebooting.`);
    },
  },
  {
    title: `More for ${named('lamp')}`,
    from: 'devices/actions/device-menu.tsx',
    menu: `More for ${named('lamp')}`,
    async act(page) {
      await page.press('Mark as favourite');
      await page.until(
        `document.querySelector('nav.groups .group:nth-child(2) .group-count').innerText.endsWith('1')`,
      );
    },
  },
  {
    title: 'Table options',
    from: 'ui/tables/table-menu.tsx',
    menu: 'Table options',
    async act(page) {
      await page.press('Address');
      await page.until(`document.querySelector('[role=columnheader]:nth-child(4)')?.innerText === 'Address'`);
      await page.press('Address');
      await page.tab.keyboard.press('Escape');
    },
  },
];

/** The group shown in the row of a device. */
const isIn = (page: PanelPage, device: string, group: string): Promise<unknown> =>
  page.until(`[...document.querySelectorAll('main [role=row]')].some((each) =>
    each.innerText.includes(${JSON.stringify(named(device))}) && each.innerText.includes(${JSON.stringify(group)}))`);

async function select(page: PanelPage): Promise<void> {
  for (const name of ['table', 'rack']) await toggle(page, `Select ${named(name)}`);
  await waitUntilShown(page, '2 selected');
}

const bulkSteps = (): DialogStep[] => [
  {
    title: 'Move 2 devices',
    from: 'devices/groups/move.tsx',
    async open(page) {
      await select(page);
      await page.press('Move to a group');
    },
    async act(page) {
      await page.choose('Group', 'Berlin');
      await page.answer('Move');
      await waitForNotice(page, 'Done with 2 of 2.');
      for (const name of ['table', 'rack']) await isIn(page, name, 'Berlin');
    },
  },
  {
    title: 'Wake 2 devices?',
    from: 'devices/actions/bulk-dialog.tsx',
    menu: 'Actions',
    open: 'Wake',
    act: (page) => page.answer('Wake'),
  },
  {
    title: 'Wake 2 devices?',
    from: 'devices/actions/bulk-dialog.tsx',
    open: (page) => page.reads('2 devices refused:'),
    async act(page) {
      await page.reads(`${named('rack')} The device cannot be woken: no network adapter of it is known`);
      await page.evaluate(`document.querySelector('dialog[open] .row button').click()`);
      await waitUntilClosed(page);
    },
  },
  {
    title: 'Actions',
    from: 'devices/list/selection-bar.tsx',
    menu: 'Actions',
    async act(page) {
      await page.press('Mark as favourite');
      await waitForNotice(page, 'Done with 2 of 2.');
      await page.until(
        `document.querySelector('nav.groups .group:nth-child(2) .group-count').innerText.endsWith('3')`,
      );
    },
  },
  {
    title: 'Unlink 2 devices?',
    from: 'devices/actions/bulk-dialog.tsx',
    menu: 'Actions',
    open: 'Unlink',
    async act(page) {
      await page.answer('Unlink');
      await waitForNotice(page, 'Done with 2 of 2.');
      for (const name of ['table', 'rack']) await waitUntilGone(page, named(name));
    },
  },
];

const waitingSteps = ({ folder }: DialogFixture): DialogStep[] => [
  {
    title: 'Devices waiting for approval',
    from: 'devices/enrolment/pending.tsx',
    open: 'Review',
    act: (page) => page.reads(named('stranger')),
  },
  {
    title: `Refuse ${named('guest')}?`,
    from: 'devices/enrolment/pending.tsx',
    open: (page) =>
      page.evaluate(`[...document.querySelectorAll('dialog .waiting li')]
      .find((each) => each.innerText.includes('guest')).querySelector('button').click()`),
    async act(page) {
      // The list below has buttons with the same label.
      await page.evaluate(
        `[...document.querySelectorAll('dialog[open]')].at(-1).querySelector('.danger').click()`,
      );
      await waitForNotice(page, `${named('guest')} was unlinked.`);
      await page.until(`document.querySelectorAll('dialog .waiting li').length === 1`);
      await page.answer('Approve');
      await page.reads('No devices are waiting any more.');
      await page.answer('Close');
      await waitUntilShown(page, named('stranger'));
      await waitUntilGone(page, 'is waiting for approval');
    },
  },
  {
    title: 'More',
    from: 'devices/list/list-page.tsx',
    menu: 'More',
    async act(page) {
      await saveDownloads(page, folder);
      await page.press('Export as CSV');
      const text = await eventually(
        () => tryRead(join(folder, 'devices.csv')),
        (found) => found.includes('stranger'),
      );
      assert.match(text, /^\uFEFF?Name,ID,/);
    },
  },
];

export function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export const deviceListSteps = (it: DialogFixture): DialogStep[] => [
  ...deviceSteps(),
  ...bulkSteps(),
  ...waitingSteps(it),
];
