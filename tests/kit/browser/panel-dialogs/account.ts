/**
 * Steps for the dialogs and menus of the account, its keys and its server, in the order in which they are
 * used.
 */
import { freshLifetime } from '@drawbridge/contract/panel/step-up';
import { xssProbe } from '../../server/panel-fixture.ts';
import { named, password, type DialogFixture } from './fixture.ts';
import { waitUntilClosed, waitUntilGone, waitUntilShown, waitForNotice, type DialogStep } from './step.ts';

const customer = '"<b>customer</b>"@example.com';

const keySteps = ({ service }: DialogFixture): DialogStep[] => [
  {
    title: 'Create an API key',
    from: 'integration/create-key.tsx',
    at: '/panel/integration',
    open: 'Create a key',
    async act(page) {
      await page.fill('Name', named('key'));
      await page.fill('Only from these networks', '10.0.0.0/8');
      service.advance(freshLifetime + 1);
      await page.answer('Create the key');
    },
  },
  {
    title: 'Confirm that it is you',
    from: 'confirm.tsx',
    async act(page) {
      await page.fill('Your password', password);
      await page.answer('Confirm');
    },
  },
  {
    title: 'Your new key',
    from: 'integration/create-key.tsx',
    async act(page) {
      await page.answer('Done');
      await waitUntilShown(page, named('key'));
      await waitUntilShown(page, 'They contain the key you just created.');
    },
  },
  {
    title: 'Revoke this key?',
    from: 'integration/keys.tsx',
    open: `Revoke ${named('key')}`,
    async act(page) {
      await page.answer('Revoke the key');
      await waitForNotice(page, 'The key is revoked.');
      await waitUntilGone(page, named('key'));
      await waitUntilShown(page, 'YOUR_KEY');
    },
  },
];

const serverSteps = (): DialogStep[] => [
  {
    title: 'New account',
    from: 'server/new-account.tsx',
    at: '/panel/server',
    open: 'New account',
    async act(page) {
      await page.fill('E-mail address of the owner', customer);
      await page.answer('Create');
    },
  },
  {
    title: 'The account is ready',
    from: 'server/new-account.tsx',
    async act(page) {
      await page.reads('/sign-in/');
      await page.answer('Done');
      await waitUntilShown(page, customer);
    },
  },
  {
    title: `Plan of ${customer}`,
    from: 'server/plan-dialogs.tsx',
    open: customer,
    act: (page) => page.answer('Change the plan'),
  },
  {
    title: `Plan of ${customer}`,
    from: 'server/plan-dialogs.tsx',
    open: (page) => page.until(`document.querySelector('dialog[open] [name=computers]')`),
    async act(page) {
      await page.fill('Devices', 'five');
      await page.answer('Save');
      await page.reads('Enter a whole number, or leave it empty.');
      await page.fill('Devices', '5');
      await page.answer('Save');
      await waitForNotice(page, 'The plan was changed.');
      await waitUntilShown(page, 'Limits: devices');
    },
  },
  {
    title: `Actions for ${customer}`,
    from: 'server/server.tsx',
    menu: `Actions for ${customer}`,
    async act(page) {
      await page.press('Usage');
      await page.reads('0 of 5');
      await page.answer('Close');
      await waitUntilClosed(page);
    },
  },
];

export const accountSteps = (it: DialogFixture): DialogStep[] => [
  ...keySteps(it),
  {
    title: 'Restore the default look?',
    from: 'admin/branding.tsx',
    at: '/panel/admin/branding',
    open: 'Restore the default look',
    async act(page) {
      await page.answer('Restore the default look');
      await waitForNotice(page, 'The default look is restored.');
      await page.until(`document.querySelector('.brand').innerText.trim() === 'Drawbridge'`);
      await waitUntilGone(page, xssProbe);
    },
  },
  ...serverSteps(),
  {
    title: it.email,
    from: 'app-shell.tsx',
    menu: it.email,
    async act(page) {
      await page.press('Dark');
      await page.until(`getComputedStyle(document.documentElement).colorScheme === 'dark'`);
      await page.press(it.email);
      await page.press('Same as the system');
    },
  },
];
