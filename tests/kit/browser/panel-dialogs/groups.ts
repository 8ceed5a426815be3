/** Steps for the dialogs and menus of groups, in the order in which they are used. */
import assert from 'node:assert/strict';
import type { PanelPage } from '../panel-browser.ts';
import { xssProbe } from '../../server/panel-fixture.ts';
import { eventually } from '../../eventually.ts';
import { bern, type DialogFixture } from './fixture.ts';
import { waitUntilClosed, waitForNotice, type DialogStep } from './step.ts';

const groupNames = `[...document.querySelectorAll('nav.groups .group-name')].map((each) => each.innerText).slice(2, -1)`;
const order = (page: PanelPage, names: readonly string[]): Promise<unknown> =>
  page.until(`JSON.stringify(${groupNames}) === ${JSON.stringify(JSON.stringify(names))}`);

export const groupSteps = ({ owner, group }: DialogFixture): DialogStep[] => [
  {
    title: 'New group',
    from: 'devices/groups/group-dialogs.tsx',
    at: '/panel/devices',
    open: 'New group',
    async act(page) {
      await page.fill('Name', 'Berlin');
      await page.answer('Create');
      await waitUntilClosed(page);
      await order(page, [xssProbe, 'Berlin']);
      await page.until(`document.querySelector('[aria-label="Menu of the group Berlin"]')`);
    },
  },
  {
    title: 'Rename the group',
    from: 'devices/groups/group-dialogs.tsx',
    menu: `Menu of the group ${xssProbe}`,
    open: 'Rename',
    async act(page) {
      await page.fill('Name', bern);
      await page.answer('Save');
      await waitUntilClosed(page);
      await order(page, [bern, 'Berlin']);
    },
  },
  {
    title: `Policy of ${bern}`,
    from: 'policies/group-policy-dialog.tsx',
    menu: `Menu of the group ${bern}`,
    open: 'Policy',
    async act(page) {
      await page.choose('Ask on the device before somebody connects', 'Always ask');
      await page.choose('One-time links', 'Forbidden');
      await page.answer('Save');
      await waitForNotice(page, 'Saved.');
      const { body } = await owner.call('groups/settings', { id: Number(group) });
      assert.deepEqual(body['data'], { confirm: 'always', onetime_url: 'forbid' });
    },
  },
  {
    title: `Notifications of ${bern}`,
    from: 'notifications/group-dialog.tsx',
    menu: `Menu of the group ${bern}`,
    open: 'Notify me',
    async act(page) {
      await page.press('A device is offline');
      await page.answer('Save');
      await waitForNotice(page, 'The subscription is saved.');
      await waitUntilClosed(page);
    },
  },
  {
    title: `Menu of the group ${bern}`,
    from: 'devices/groups/groups-sidebar.tsx',
    menu: `Menu of the group ${bern}`,
    async act(page) {
      await page.press('Move down');
      await order(page, ['Berlin', bern]);
      const listed = async () => (await owner.call('groups/list')).body['data'] as { name: string }[];
      await eventually(listed, ([first]) => first?.name === 'Berlin');
    },
  },
  {
    title: 'Groups',
    from: 'devices/groups/groups-sidebar.tsx',
    // On a phone the groups are one field with a menu.
    async open(page) {
      await page.emulate({ width: 390, height: 844 });
      await page.evaluate(`document.querySelector('.groups-field [aria-haspopup]').click()`);
    },
    async act(page) {
      await page.press('New group');
      await page.fill('Name', 'Hamburg');
      await page.answer('Create');
      await order(page, ['Berlin', bern, 'Hamburg']);
    },
  },
  {
    title: 'Remove the group Hamburg?',
    from: 'devices/groups/group-dialogs.tsx',
    menu: 'Menu of the group Hamburg',
    open: 'Remove',
    async act(page) {
      await page.answer('Remove');
      await order(page, ['Berlin', bern]);
    },
  },
];
