/** Steps for the dialogs and menus of one device, in the order in which they are used. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { xssProbe } from '../../server/panel-fixture.ts';
import { named, type DialogFixture } from './fixture.ts';
import {
  chooseFile,
  waitUntilClosed,
  waitUntilGone,
  waitUntilShown,
  waitForNotice,
  type DialogStep,
} from './step.ts';

const linkSteps = ({ lamp }: DialogFixture): DialogStep[] => [
  {
    title: 'Permanent link',
    from: 'devices/details/links.tsx',
    at: `/panel/devices/${lamp}`,
    open: 'Turn the permanent link on',
    async act(page) {
      await page.fill('Path', `lamp-${lamp}`);
      await page.fill('Password', 'battery staple 9');
      await page.answer('Turn on');
      await waitUntilClosed(page);
      await waitUntilShown(page, `/lamp-${lamp}`);
    },
  },
  {
    title: 'The permanent link as a QR code',
    from: 'devices/details/links.tsx',
    open: 'QR code',
    async act(page) {
      assert.ok(
        await page.evaluate(`document.querySelector('dialog[open] [role=img], dialog[open] svg') !== null`),
      );
      await page.answer('Close');
    },
  },
  {
    title: 'Turn the permanent link off?',
    from: 'devices/details/links.tsx',
    open: 'Turn off',
    async act(page) {
      await page.answer('Turn off');
      await waitForNotice(page, 'Saved.');
      await waitUntilShown(page, 'The permanent link is turned off.');
    },
  },
];

const overviewSteps = (): DialogStep[] => [
  {
    title: 'Edit the notes',
    from: 'devices/details/notes.tsx',
    open: 'Edit',
    async act(page) {
      await page.fill('What others should know about this device', named('note'));
      await page.answer('Save');
      await waitUntilClosed(page);
      await waitUntilShown(page, named('note'));
    },
  },
  {
    title: 'End this connection?',
    from: 'devices/details/device-sessions.tsx',
    open: 'End',
    async act(page) {
      await page.answer('End');
      await waitForNotice(page, 'The connection was ended.');
      await waitUntilGone(page, 'Connected now');
    },
  },
];

const fileSteps = ({ twin, folder }: DialogFixture): DialogStep[] => [
  {
    title: 'Attach a file',
    from: 'devices/details/tabs/files.tsx',
    at: `/panel/devices/${twin}?tab=files`,
    open: 'Attach a file',
    async act(page) {
      const file = join(folder, '<img src=x onerror=globalThis.__ran=1>.txt');
      writeFileSync(file, xssProbe);
      await chooseFile(page, '#attached-file', file);
      await page.fill('Note', named('plan'));
      await page.answer('Attach');
      await waitUntilClosed(page);
      await waitUntilShown(page, named('plan'));
    },
  },
  {
    title: `Remove ${xssProbe}?`,
    from: 'devices/details/tabs/files.tsx',
    open: `Remove ${xssProbe}`,
    async act(page) {
      await page.answer('Remove');
      await waitForNotice(page, 'The file was removed.');
      await page.until(`document.querySelectorAll('main [role=rowgroup] [role=row]').length === 1`);
    },
  },
];

const elsewhere = (): DialogStep[] => [
  {
    title: 'Merge two devices',
    from: 'devices/duplicates/merge.tsx',
    at: '/panel/devices/duplicates',
    open: 'Compare and merge',
    async act(page) {
      await page.evaluate(`document.querySelectorAll('dialog[open] [type=radio]')[1].click()`);
      await page.until(`document.querySelectorAll('dialog[open] .twin')[1].innerText.includes('Stays')`);
      await page.answer('Merge');
      await waitForNotice(page, `Merged into ${xssProbe}.`);
      await waitUntilGone(page, 'Compare and merge');
    },
  },
  {
    title: `Mark the copied key of ${named('copied')} as resolved?`,
    from: 'devices/duplicates/duplicates-page.tsx',
    open: 'Mark as resolved',
    async act(page) {
      await page.answer('Mark as resolved');
      await waitForNotice(page, 'Marked as resolved.');
      await waitUntilShown(page, 'No duplicates');
    },
  },
  {
    title: 'Revoke this command?',
    from: 'devices/enrolment/tokens.tsx',
    at: '/panel/devices/add',
    open: 'Revoke',
    async act(page) {
      await page.answer('Revoke');
      await waitForNotice(page, 'The command no longer works.');
      await waitUntilShown(page, 'There are no install commands.');
    },
  },
  {
    title: `Unlink ${named('stranger')}?`,
    from: 'devices/actions/actions.tsx',
    at: '/panel/devices',
    menu: `More for ${named('stranger')}`,
    open: 'Unlink',
    async act(page) {
      await page.answer('Unlink');
      await waitForNotice(page, `${named('stranger')} was unlinked.`);
      await waitUntilGone(page, named('stranger'));
    },
  },
];

export const singleDeviceSteps = (it: DialogFixture): DialogStep[] => [
  ...linkSteps(it),
  ...overviewSteps(),
  ...fileSteps(it),
  ...elsewhere(),
];
