/**
 * Steps for the dialogs of a person's profile, in the order in which they are used; the last one deletes the
 * account.
 */
import { codeOfStep, stepAt } from '@drawbridge/server/panel/sign-in/totp';
import { addVirtualAuthenticator } from '../virtual-authenticator.ts';
import { named, type DialogFixture } from './fixture.ts';
import { waitUntilClosed, waitUntilShown, waitForNotice, type DialogStep } from './step.ts';

const codesShown = `document.querySelector('dialog[open] .recovery-codes')?.innerText`;

const nameSteps = (): DialogStep[] => [
  {
    title: 'Your name',
    from: 'profile/name-form.tsx',
    at: '/panel/profile',
    open: 'Add your name',
    async act(page) {
      await page.fill('Name', named('Ann'));
      await page.answer('Save');
      await waitForNotice(page, 'Saved.');
      await waitUntilShown(page, named('Ann'));
    },
  },
];

const passkeySteps = (): DialogStep[] => [
  {
    title: 'Add a passkey',
    from: 'profile/passkeys.tsx',
    at: '/panel/profile',
    async open(page) {
      await addVirtualAuthenticator(page);
      await page.press('Add a passkey');
    },
    async act(page) {
      await page.fill('Name', named('ring'));
      await page.answer('Continue');
      await waitForNotice(page, 'The passkey is added.');
      await waitUntilShown(page, named('ring'));
    },
  },
  {
    title: 'Remove this passkey?',
    from: 'profile/passkeys.tsx',
    open: `Remove ${named('ring')}`,
    async act(page) {
      await page.answer('Remove');
      await waitForNotice(page, 'The passkey is removed.');
      await waitUntilShown(page, 'You have no passkey yet.');
    },
  },
  {
    title: 'Change the password',
    from: 'profile/password.tsx',
    open: 'Change the password',
    async act(page) {
      await page.fill('New password', 'battery staple 9');
      await page.answer('Set the password');
      await waitForNotice(page, 'The password is set.');
    },
  },
];

const appSteps = ({ service }: DialogFixture): DialogStep[] => [
  {
    title: 'Set up the authenticator app',
    from: 'profile/authenticator-set-up.tsx',
    open: 'Set it up',
    async act(page) {
      const secret = await page.until<string>(
        `document.querySelector('[aria-label="Key for the authenticator app"]')?.textContent`,
      );
      await page.fill('Code that the app shows now', codeOfStep(secret, stepAt(service.server.store.now())));
      await page.answer('Turn it on');
    },
  },
  {
    title: 'Recovery codes',
    from: 'profile/recovery-codes.tsx',
    async act(page) {
      await page.evaluate(`globalThis.__codes = ${codesShown}`);
      await page.answer('I have saved them');
      await waitUntilShown(page, '10 recovery codes are left.');
    },
  },
  {
    title: 'Create new recovery codes?',
    from: 'profile/authenticator.tsx',
    open: 'Create new codes',
    act: (page) => page.answer('Create new codes'),
  },
  {
    title: 'Recovery codes',
    from: 'profile/recovery-codes.tsx',
    async act(page) {
      await page.until(`${codesShown} !== globalThis.__codes`);
      await page.answer('I have saved them');
      await waitUntilClosed(page);
    },
  },
  {
    title: 'Turn the authenticator app off?',
    from: 'profile/authenticator.tsx',
    open: 'Turn it off',
    async act(page) {
      await page.answer('Turn it off');
      await waitForNotice(page, 'The authenticator app is off.');
      await waitUntilShown(page, 'Set it up');
    },
  },
];

export const profileSteps = (it: DialogFixture): DialogStep[] => [
  ...nameSteps(),
  ...passkeySteps(),
  ...appSteps(it),
  {
    title: 'Sign out everywhere?',
    from: 'profile/sessions-section.tsx',
    open: 'Sign out everywhere',
    async act(page) {
      await page.answer('Sign out everywhere');
      await page.reads('Forgot your password?');
    },
  },
];
