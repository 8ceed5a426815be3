/** Steps for the dialogs of directories. */
import { xssProbe } from '../../server/panel-fixture.ts';
import type { DialogFixture } from './fixture.ts';
import { waitForNotice, waitUntilGone, waitUntilShown, type DialogStep } from './step.ts';

export const directoryDialogSteps = ({ directory }: DialogFixture): DialogStep[] => [
  {
    title: 'Connect a directory',
    from: 'team/directories/directory-form.tsx',
    at: '/panel/team/directories',
    open: 'Connect a directory',
    async act(page) {
      await page.fill('Name', xssProbe);
      await page.fill('Address of the server', 'http://directory.example.com');
      await page.fill('Entry that reads the directory', 'cn=reader,dc=example,dc=com');
      await page.fill('Password of this entry', 'a secret');
      await page.fill('Base', 'dc=example,dc=com');
      await page.answer('Connect a directory');
      await page.reads('must be an address such as');
      await page.fill('Address of the server', 'ldaps://127.0.0.1:1');
      await page.answer('Connect a directory');
      await waitForNotice(page, 'The directory was connected.');
      await waitUntilShown(page, 'Never imported');
      await page.press('Test and show changes');
      await waitUntilShown(page, 'The server does not connect to this address');
    },
  },
  {
    title: `Remove the directory ${xssProbe}?`,
    from: 'team/directories/directory.tsx',
    at: `/panel/team/directories/${directory}`,
    open: 'Remove',
    async act(page) {
      await page.answer('Remove');
      await waitForNotice(page, 'The directory was removed.');
      await page.until(`location.pathname === '/panel/team/directories'`);
      await waitUntilGone(page, 'Wrong settings');
    },
  },
];
