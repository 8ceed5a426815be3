/** Steps for the dialogs and menus of the members of a team, in the order in which they are used. */
import { xssProbe, xssProbeEmail } from '../../server/panel-fixture.ts';
import { named, type DialogFixture } from './fixture.ts';
import {
  waitUntilClosed,
  waitUntilGone,
  pickOption,
  waitUntilShown,
  waitForNotice,
  type DialogStep,
} from './step.ts';

const guest = '"<b>guest</b>"@example.com';

const personSteps = ({ person }: DialogFixture): DialogStep[] => [
  {
    title: 'Add to a department',
    from: 'team/people/person.tsx',
    at: `/panel/team/people/${person}`,
    open: 'Add to a department',
    async act(page) {
      await pickOption(page, 'Department', xssProbe);
      await page.answer('Add');
      await waitForNotice(page, `${person} was added.`);
      await page.press(`Remove from ${xssProbe}`);
      await waitForNotice(page, `${person} was removed from the department.`);
    },
  },
  {
    title: 'Give access',
    from: 'team/grants/grant-dialog.tsx',
    menu: `Actions for ${person}`,
    open: 'Give access',
    async act(page) {
      await pickOption(page, 'Role', named('ruler'));
      await pickOption(page, 'Group', 'Berlin');
      await page.answer('Give access');
      await waitForNotice(page, 'Access was given.');
      await waitUntilShown(page, 'Group Berlin');
    },
  },
  {
    title: 'New password link',
    from: 'team/people/reset.tsx',
    menu: `Actions for ${person}`,
    open: 'New password link',
    act: (page) => page.answer('Create the link'),
  },
  {
    title: 'The link is ready',
    from: 'team/people/reset.tsx',
    async act(page) {
      await page.reads('/sign-in/');
      await page.evaluate(`document.querySelector('dialog[open] .primary').click()`);
      await waitUntilClosed(page);
    },
  },
  {
    title: `Remove ${person}?`,
    from: 'team/people/person-menu.tsx',
    menu: `Actions for ${person}`,
    open: 'Remove from the team',
    async act(page) {
      await page.answer('Remove');
      await waitForNotice(page, `${person} was removed.`);
      await page.until(`location.pathname === '/panel/team'`);
      await waitUntilGone(page, person);
    },
  },
];

export const peopleSteps = (it: DialogFixture): DialogStep[] => [
  ...personSteps(it),
  {
    title: 'Invite a person',
    from: 'team/people/invite.tsx',
    open: 'Invite a person',
    async act(page) {
      await page.fill('Their e-mail address', guest);
      await page.answer('Invite');
    },
  },
  {
    title: 'The invitation is ready',
    from: 'team/people/invite.tsx',
    async act(page) {
      await page.reads('/invite/');
      await page.answer('Done');
      await waitUntilShown(page, guest);
    },
  },
  {
    title: 'The invitation is ready',
    from: 'team/people/invite.tsx',
    menu: `Actions for ${xssProbeEmail}`,
    open: 'Invite again',
    async act(page) {
      await page.reads('/invite/');
      await page.answer('Done');
    },
  },
  {
    title: `Actions for ${guest}`,
    from: 'team/people/person-menu.tsx',
    menu: `Actions for ${guest}`,
    async act(page) {
      await page.press('Remove from the team');
      await page.answer('Remove');
      await waitForNotice(page, `${guest} was removed.`);
    },
  },
];
