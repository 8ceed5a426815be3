/** The dialogs and menus around one device, in the order in which they are used. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { xssProbe } from '../panel-fixture.ts';
import { named, type DialogFixture } from './fixture.ts';
import { chooseFile, isClosed, lacks, shows, told, type Step } from './step.ts';

const linkSteps = ({ lamp }: DialogFixture): Step[] => [
  {
    title: 'Permanent link',
    from: 'devices/links.tsx',
    at: `/panel/devices/${lamp}`,
    open: 'Turn the permanent link on',
    async act(page) {
      await page.fill('Path', `lamp-${lamp}`);
      await page.fill('Password', 'battery staple 9');
      await page.answer('Turn on');
      await isClosed(page);
      await shows(page, `/lamp-${lamp}`);
    },
  },
  {
    title: 'The permanent link as a QR code',
    from: 'devices/links.tsx',
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
    from: 'devices/links.tsx',
    open: 'Turn off',
    async act(page) {
      await page.answer('Turn off');
      await told(page, 'Saved.');
      await shows(page, 'The permanent link is turned off.');
    },
  },
];

const overviewSteps = (): Step[] => [
  {
    title: 'Edit the notes',
    from: 'devices/notes.tsx',
    open: 'Edit',
    async act(page) {
      await page.fill('What others should know about this device', named('note'));
      await page.answer('Save');
      await isClosed(page);
      await shows(page, named('note'));
    },
  },
  {
    title: 'End this connection?',
    from: 'devices/device-sessions.tsx',
    open: 'End',
    async act(page) {
      await page.answer('End');
      await told(page, 'The connection was ended.');
      await lacks(page, 'Connected now');
    },
  },
];

const fileSteps = ({ twin, folder }: DialogFixture): Step[] => [
  {
    title: 'Attach a file',
    from: 'devices/tabs/files.tsx',
    at: `/panel/devices/${twin}?tab=files`,
    open: 'Attach a file',
    async act(page) {
      const file = join(folder, '<img src=x onerror=globalThis.__ran=1>.txt');
      writeFileSync(file, xssProbe);
      await chooseFile(page, '#attached-file', file);
      await page.fill('Note', named('plan'));
      await page.answer('Attach');
      await isClosed(page);
      await shows(page, named('plan'));
    },
  },
  {
    title: `Remove ${xssProbe}?`,
    from: 'devices/tabs/files.tsx',
    open: `Remove ${xssProbe}`,
    async act(page) {
      await page.answer('Remove');
      await told(page, 'The file was removed.');
      await page.until(`document.querySelectorAll('main [role=rowgroup] [role=row]').length === 1`);
    },
  },
];

const elsewhere = (): Step[] => [
  {
    title: 'Merge two devices',
    from: 'devices/merge.tsx',
    at: '/panel/devices/duplicates',
    open: 'Compare and merge',
    async act(page) {
      await page.evaluate(`document.querySelectorAll('dialog[open] [type=radio]')[1].click()`);
      await page.until(`document.querySelectorAll('dialog[open] .twin')[1].innerText.includes('Stays')`);
      await page.answer('Merge');
      await told(page, `Merged into ${xssProbe}.`);
      await lacks(page, 'Compare and merge');
    },
  },
  {
    title: `Mark the copied key of ${named('copied')} as resolved?`,
    from: 'devices/duplicates-page.tsx',
    open: 'Mark as resolved',
    async act(page) {
      await page.answer('Mark as resolved');
      await told(page, 'Marked as resolved.');
      await shows(page, 'No duplicates');
    },
  },
  {
    title: 'Revoke this command?',
    from: 'devices/tokens.tsx',
    at: '/panel/devices/add',
    open: 'Revoke',
    async act(page) {
      await page.answer('Revoke');
      await told(page, 'The command no longer works.');
      await shows(page, 'There are no install commands.');
    },
  },
  {
    title: `Unlink ${named('stranger')}?`,
    from: 'devices/actions.tsx',
    at: '/panel/devices',
    menu: `More for ${named('stranger')}`,
    open: 'Unlink',
    async act(page) {
      await page.answer('Unlink');
      await told(page, `${named('stranger')} was unlinked.`);
      await lacks(page, named('stranger'));
    },
  },
];

export const oneSteps = (it: DialogFixture): Step[] => [
  ...linkSteps(it),
  ...overviewSteps(),
  ...fileSteps(it),
  ...elsewhere(),
];
