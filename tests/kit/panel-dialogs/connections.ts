/** The dialogs and menus of the history and of quick support, in the order in which they are used. */
import { xssProbe } from '../panel-fixture.ts';
import { named, type DialogFixture } from './fixture.ts';
import { isClosed, lacks, shows, told, type Step } from './step.ts';

const historySteps = (): Step[] => [
  {
    title: 'End this session?',
    from: 'history/running-sessions.tsx',
    at: '/panel/history',
    open: 'End',
    async act(page) {
      await page.answer('End the session');
      await told(page, 'The session was ended.');
      await lacks(page, 'Running now');
    },
  },
  {
    title: 'Note on this connection',
    from: 'history/connection-actions.tsx',
    open: (page) => page.evaluate(`document.querySelector('.history-table button.note').click()`),
    async act(page) {
      await page.fill('Note', named('noted'));
      await page.answer('Save');
      await told(page, 'Saved.');
      await shows(page, named('noted'));
    },
  },
  {
    title: 'Remove this recording?',
    from: 'history/connection-actions.tsx',
    // The newest connection stands first.
    menu: 'More for the connection of ',
    open: 'Remove the recording…',
    async act(page) {
      await page.answer('Remove the recording');
      await told(page, 'The recording was removed.');
      await lacks(page, 'Play');
    },
  },
];

/** For who may read a note, and not write one. */
export const readerSteps = (): Step[] => [
  {
    title: 'Note on this connection',
    from: 'history/connection-actions.tsx',
    at: '/panel/history',
    open: (page) => page.evaluate(`document.querySelector('.history-table button.note').click()`),
    async act(page) {
      await page.until(
        `document.querySelector('dialog[open] .whole-note').innerText === ${JSON.stringify(named('past'))}`,
      );
      await page.answer('Close');
      await isClosed(page);
    },
  },
];

const filterSteps = (): Step[] => [
  {
    title: 'More for the connection of ',
    from: 'history/history-table.tsx',
    menu: 'More for the connection of ',
    async act(page) {
      await page.press('Only this person');
      await page.until(`new URLSearchParams(location.search).has('person')`);
      await page.press('Clear the filter');
      await page.until(`location.search === ''`);
    },
  },
];

const supportSteps = (): Step[] => [
  {
    title: 'Name of the client',
    from: 'support/client-name-form.tsx',
    at: '/panel/support',
    menu: 'More for ',
    open: 'Rename…',
    async act(page) {
      await page.fill('Name of the client', named('client'));
      await page.answer('Save');
      await told(page, 'Saved.');
      await shows(page, named('client'));
    },
  },
  {
    title: 'More for ',
    from: 'support/invitation-card.tsx',
    menu: 'More for ',
    act: (page) => page.evaluate(`document.querySelector('.menu:popover-open').hidePopover()`),
  },
  {
    title: 'Invite the client',
    from: 'support/share-dialog.tsx',
    open: 'Code and link',
    async act(page) {
      await page.press('Show the message');
      await page.reads('please open this link');
      await page.answer('Close');
    },
  },
  {
    title: 'Your browser blocked the new tab',
    from: 'open-tab.tsx',
    async open(page) {
      await page.evaluate('globalThis.open = () => null, true');
      await page.press('Connect');
    },
    async act(page) {
      await page.until(`document.querySelector('dialog[open] a[target=_blank]').href.includes('/c/')`);
      await page.answer('Close');
      await isClosed(page);
    },
  },
  {
    title: 'Close this invitation?',
    from: 'support/invitation-actions.ts',
    menu: 'More for ',
    open: 'Close…',
    async act(page) {
      await page.answer('Close the invitation');
      await told(page, 'The invitation is closed.');
      await shows(page, 'No open invitations');
    },
  },
  {
    title: 'Invite the client',
    from: 'support/share-dialog.tsx',
    open: 'Invite a client',
    async act(page) {
      await page.fill('Name of the client (optional)', xssProbe);
      await page.answer('Save');
      await told(page, 'Saved.');
      await page.answer('Close');
      await shows(page, xssProbe);
    },
  },
];

export const connectionSteps = (_it: DialogFixture): Step[] => [
  ...historySteps(),
  ...filterSteps(),
  ...supportSteps(),
];
