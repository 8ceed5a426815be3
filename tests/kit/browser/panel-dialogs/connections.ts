/**
 * Steps for the dialogs and menus of the history and of quick support, in the order in which they are used.
 */
import { xssProbe } from '../../server/panel-fixture.ts';
import { named, type DialogFixture } from './fixture.ts';
import { waitUntilClosed, waitUntilGone, waitUntilShown, waitForNotice, type DialogStep } from './step.ts';

const historySteps = (): DialogStep[] => [
  {
    title: 'End this session?',
    from: 'history/running-sessions.tsx',
    at: '/panel/history',
    open: 'End',
    async act(page) {
      await page.answer('End the session');
      await waitForNotice(page, 'The session was ended.');
      await waitUntilGone(page, 'Running now');
    },
  },
  {
    title: 'Note on this connection',
    from: 'history/connection-actions.tsx',
    open: (page) => page.evaluate(`document.querySelector('.history-table button.note').click()`),
    async act(page) {
      await page.fill('Note', named('noted'));
      await page.answer('Save');
      await waitForNotice(page, 'Saved.');
      await waitUntilShown(page, named('noted'));
    },
  },
  {
    title: 'Remove this recording?',
    from: 'history/connection-actions.tsx',
    // The newest connection comes first.
    menu: 'More for the connection of ',
    open: 'Remove the recording…',
    async act(page) {
      await page.answer('Remove the recording');
      await waitForNotice(page, 'The recording was removed.');
      await waitUntilGone(page, 'Play');
    },
  },
];

/** For a member who may read notes but not write them. */
export const readerSteps = (): DialogStep[] => [
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
      await waitUntilClosed(page);
    },
  },
];

const filterSteps = (): DialogStep[] => [
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

const supportSteps = (): DialogStep[] => [
  {
    title: 'Name of the client',
    from: 'support/client-name-form.tsx',
    at: '/panel/support',
    menu: 'More for ',
    open: 'Rename…',
    async act(page) {
      await page.fill('Name of the client', named('client'));
      await page.answer('Save');
      await waitForNotice(page, 'Saved.');
      await waitUntilShown(page, named('client'));
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
      await waitUntilClosed(page);
    },
  },
  {
    title: 'Close this invitation?',
    from: 'support/invitation-actions.ts',
    menu: 'More for ',
    open: 'Close…',
    async act(page) {
      await page.answer('Close the invitation');
      await waitForNotice(page, 'The invitation is closed.');
      await waitUntilShown(page, 'No open invitations');
    },
  },
  {
    title: 'Invite the client',
    from: 'support/share-dialog.tsx',
    open: 'Invite a client',
    async act(page) {
      await page.fill('Name of the client (optional)', xssProbe);
      await page.answer('Save');
      await waitForNotice(page, 'Saved.');
      await page.answer('Close');
      await waitUntilShown(page, xssProbe);
    },
  },
];

export const connectionSteps = (_it: DialogFixture): DialogStep[] => [
  ...historySteps(),
  ...filterSteps(),
  ...supportSteps(),
];
