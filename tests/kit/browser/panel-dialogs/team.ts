/** Steps for the dialogs and menus of departments, roles and grants, in the order in which they are used. */
import type { PanelPage } from '../panel-browser.ts';
import { xssProbe } from '../../server/panel-fixture.ts';
import { bern, named, type DialogFixture } from './fixture.ts';
import { waitUntilGone, pickOption, waitUntilShown, waitForNotice, type DialogStep } from './step.ts';

const desk = '<u onclick=globalThis.__ran=1>Desk</u>';

const title = (page: PanelPage, text: string): Promise<unknown> =>
  page.until(`document.querySelector('main h1').innerText === ${JSON.stringify(text)}`);

const departmentSteps = ({ person }: DialogFixture): DialogStep[] => [
  {
    title: 'New department',
    from: 'team/name-dialog.tsx',
    at: '/panel/team/departments',
    open: 'New department',
    async act(page) {
      await page.fill('Name', 'Service');
      await page.answer('Create');
      await title(page, 'Service');
    },
  },
  {
    title: 'Rename the department',
    from: 'team/name-dialog.tsx',
    menu: 'Actions for Service',
    open: 'Rename',
    async act(page) {
      await page.fill('Name', desk);
      await page.answer('Save');
      await title(page, desk);
    },
  },
  {
    title: `Add to ${desk}`,
    from: 'team/departments/department.tsx',
    open: 'Add a person',
    async act(page) {
      await pickOption(page, 'Person', person);
      await page.answer('Add');
      await waitForNotice(page, `${person} was added.`);
      await waitUntilShown(page, person);
    },
  },
  {
    title: 'Give access',
    from: 'team/grants/grant-dialog.tsx',
    menu: `Actions for ${desk}`,
    open: 'Give access',
    async act(page) {
      await pickOption(page, 'Role', xssProbe);
      await pickOption(page, 'Device', named('copied'));
      await page.answer('Give access');
      await waitForNotice(page, 'Access was given.');
      await waitUntilShown(page, `Device ${named('copied')}`);
    },
  },
  {
    title: `Actions for ${desk}`,
    from: 'team/departments/department-actions.tsx',
    menu: `Actions for ${desk}`,
    async act(page) {
      await page.evaluate(`document.querySelector('.menu:popover-open').hidePopover()`);
      await page.press(`Remove ${person} from the department`);
      await waitForNotice(page, `${person} was removed from the department.`);
      await waitUntilShown(page, 'Nobody is in this department yet.');
    },
  },
  {
    title: `Remove the department ${desk}?`,
    from: 'team/departments/department-actions.tsx',
    menu: `Actions for ${desk}`,
    open: 'Remove',
    async act(page) {
      await page.answer('Remove');
      await waitForNotice(page, 'The department was removed.');
      await page.until(`location.pathname === '/panel/team/departments'`);
      await waitUntilGone(page, desk);
    },
  },
];

const roleSteps = ({ person }: DialogFixture): DialogStep[] => [
  {
    title: 'New role',
    from: 'team/roles/role-form.tsx',
    at: '/panel/team/roles',
    open: 'New role',
    async act(page) {
      await page.fill('Name', named('waker'));
      await page.press('Wake the device with Wake-on-LAN');
      await page.answer('Create');
      await waitForNotice(page, 'The role was saved.');
      await waitUntilShown(page, named('waker'));
    },
  },
  {
    title: 'Change the role',
    from: 'team/roles/role-form.tsx',
    menu: `Actions for ${named('waker')}`,
    open: 'Edit',
    async act(page) {
      await page.fill('Name', named('ruler'));
      await page.press('All');
      await page.answer('Save');
      await waitForNotice(page, 'The role was saved.');
      await waitUntilShown(page, named('ruler'));
    },
  },
  {
    title: 'New role',
    from: 'team/roles/role-form.tsx',
    menu: `Actions for ${named('ruler')}`,
    open: 'Make a copy',
    async act(page) {
      await page.answer('Create');
      await waitUntilShown(page, `${named('ruler')} (copy)`);
    },
  },
  {
    title: `Remove the role ${named('ruler')} (copy)?`,
    from: 'team/roles/role-actions.tsx',
    menu: `Actions for ${named('ruler')} (copy)`,
    open: 'Remove',
    async act(page) {
      await page.answer('Remove');
      await waitForNotice(page, 'The role was removed.');
      await waitUntilGone(page, '(copy)');
    },
  },
  {
    title: 'Give access',
    from: 'team/roles/role-actions.tsx',
    menu: `Actions for ${named('ruler')}`,
    open: 'Give it to somebody',
    async act(page) {
      await pickOption(page, 'Person', person);
      await pickOption(page, 'Group', bern);
      await page.answer('Give access');
      await waitForNotice(page, 'Access was given.');
      await waitUntilShown(page, 'given 1 time');
    },
  },
];

const accessSteps = ({ person, department, group }: DialogFixture): DialogStep[] => [
  {
    title: 'Give access',
    from: 'team/grants/grant-dialog.tsx',
    at: `/panel/team/access?by=group&of=${group}`,
    // Opened from the page itself, where nothing is selected before.
    open: 'Give access',
    async act(page) {
      await page.press('A department');
      await pickOption(page, 'Department', xssProbe);
      await pickOption(page, 'Role', named('ruler'));
      await pickOption(page, 'Group', 'Berlin');
      await page.answer('Give access');
      await waitForNotice(page, 'Access was given.');
    },
  },
  {
    title: 'Give access',
    from: 'team/grants/grant-dialog.tsx',
    open: (page) => page.evaluate(`document.querySelector('.half-main .section button').click()`),
    async act(page) {
      await page.press('A department');
      await pickOption(page, 'Department', xssProbe);
      await pickOption(page, 'Role', named('ruler'));
      await page.choose('Ends', 'In 7 days');
      await page.answer('Give access');
      await waitForNotice(page, 'Access was given.');
      await waitUntilShown(page, `Department ${xssProbe}`);
      await waitUntilShown(page, 'in 7 days');
    },
  },
  {
    title: 'Take this role away?',
    from: 'team/grants/grants.tsx',
    at: `/panel/team/departments/${department}`,
    open: `Take away: Department ${xssProbe}, ${named('ruler')}, Group Berlin`,
    async act(page) {
      await page.answer('Take away');
      await waitForNotice(page, 'The role was taken away.');
      await waitUntilGone(page, 'Group Berlin');
    },
  },
  {
    title: 'Give access',
    from: 'team/grants/grant-dialog.tsx',
    at: '/panel/team/access?by=device',
    async open(page) {
      await page.press(named('copied'));
      await page.until(`document.querySelector('.half-main .section button')`);
      await page.evaluate(`[...document.querySelectorAll('.half-main .section button')]
        .find((each) => each.innerText.trim() === 'Give access').click()`);
    },
    async act(page) {
      await pickOption(page, 'Person', person);
      await pickOption(page, 'Role', xssProbe);
      await page.answer('Give access');
      await waitForNotice(page, 'Access was given.');
    },
  },
  {
    title: `${person} on ${named('copied')}`,
    from: 'team/access/permission-reasons.tsx',
    async open(page) {
      const button = `[...document.querySelectorAll('.matrix button')].find((each) => each.innerText === '${person}')`;
      await page.until(button);
      await page.evaluate(`${button}.click()`);
    },
    async act(page) {
      await page.reads(`Through the role “${xssProbe}”`);
      await page.answer('Close');
    },
  },
  {
    title: `${person} on ${xssProbe}`,
    from: 'team/access/permission-reasons.tsx',
    at: `/panel/team/people/${person}`,
    open: `Why: ${xssProbe}`,
    async act(page) {
      await page.reads('by the department');
      await page.answer('Close');
    },
  },
];

export const teamSteps = (it: DialogFixture): DialogStep[] => [
  ...departmentSteps(it),
  ...roleSteps(it),
  ...accessSteps(it),
];
