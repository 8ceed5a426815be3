/** Steps for the dialogs of single sign-on and of provisioning; the provider of the fixture is removed. */
import { xssProbe } from '../../server/panel-fixture.ts';
import { named, type DialogFixture } from './fixture.ts';
import { waitForNotice, waitUntilClosed, waitUntilGone, waitUntilShown, type DialogStep } from './step.ts';

/** While the owner is connected with a provider, single sign-on can be required. */
const connectedSteps = (): DialogStep[] => [
  {
    title: 'Require single sign-on?',
    from: 'team/providers/providers.tsx',
    at: '/panel/team/providers',
    open: 'Require single sign-on',
    async act(page) {
      await page.answer('Require single sign-on');
      await waitForNotice(page, 'Single sign-on is required.');
      await page.press('Allow other ways to sign in');
      await waitForNotice(page, 'Other ways to sign in are allowed.');
      await waitUntilShown(page, 'People can also sign in with passwords, passkeys and links.');
    },
  },
  {
    title: `Disconnect ${xssProbe}?`,
    from: 'profile/providers.tsx',
    at: '/panel/profile',
    open: 'Disconnect',
    async act(page) {
      await page.answer('Disconnect');
      await waitForNotice(page, 'Disconnected.');
      await waitUntilShown(page, 'Not connected');
    },
  },
];

const providerSteps = ({ provider }: DialogFixture): DialogStep[] => [
  {
    title: 'Add an identity provider',
    from: 'team/providers/provider-form.tsx',
    at: '/panel/team/providers',
    open: 'Add a provider',
    async act(page) {
      await page.fill('Name', named('other'));
      await page.fill('Issuer', 'http://id.example.com');
      await page.fill('Client ID', xssProbe);
      await page.fill('Client secret', 'a secret');
      await page.answer('Add');
      await page.reads('must be');
      await page.fill('Issuer', 'https://id.example.com/other');
      await page.answer('Add');
      await waitUntilClosed(page);
      await waitUntilShown(page, 'No group is mapped yet.');
    },
  },
  {
    title: `Edit ${xssProbe}`,
    from: 'team/providers/provider-form.tsx',
    at: `/panel/team/providers/${provider}`,
    open: 'Edit',
    async act(page) {
      await page.fill('Name', named('sign-in'));
      await page.answer('Save');
      await waitUntilClosed(page);
      await waitUntilShown(page, named('sign-in'));
    },
  },
  {
    title: 'Map a group',
    from: 'team/providers/provider.tsx',
    open: 'Map a group',
    async act(page) {
      await page.fill('Group', named('staff'));
      await page.answer('Add');
      await page.until(`document.querySelector('dialog[open] [aria-invalid=true]')`);
      await page.choose('Department', xssProbe);
      await page.answer('Add');
      await waitUntilClosed(page);
      await waitUntilShown(page, named('staff'));
    },
  },
  {
    title: `Remove ${named('sign-in')}?`,
    from: 'team/providers/provider.tsx',
    open: 'Remove',
    async act(page) {
      await page.answer('Remove');
      await waitForNotice(page, 'The provider is removed.');
      await page.until(`location.pathname === '/panel/team/providers'`);
      await waitUntilGone(page, named('sign-in'));
    },
  },
];

const tokenSteps = (): DialogStep[] => [
  {
    title: 'Create a token',
    from: 'team/provisioning/create-token.tsx',
    at: '/panel/team/provisioning',
    open: 'Create a token',
    async act(page) {
      await page.fill('Name', named('token'));
      await page.choose('Expires', 'In 90 days');
      await page.answer('Create the token');
    },
  },
  {
    title: 'The token is ready',
    from: 'team/provisioning/create-token.tsx',
    async act(page) {
      await page.reads('it is shown only once');
      await page.answer('Done');
      await waitUntilClosed(page);
      await waitUntilShown(page, named('token'));
    },
  },
  {
    title: 'Remove this token?',
    from: 'team/provisioning/provisioning.tsx',
    open: `Remove ${named('token')}`,
    async act(page) {
      await page.answer('Remove the token');
      await waitForNotice(page, 'The token is removed.');
      await waitUntilShown(page, 'No tokens yet');
    },
  },
];

const webhookSteps = (): DialogStep[] => [
  {
    title: 'Add a webhook',
    from: 'team/webhooks/webhook-form.tsx',
    at: '/panel/team/webhooks',
    open: 'Add a webhook',
    async act(page) {
      await page.fill('Name', named('webhook'));
      await page.fill('Address', 'https://127.0.0.1:1/hook');
      await page.answer('Add');
    },
  },
  {
    title: 'The webhook is added',
    from: 'team/webhooks/webhook-form.tsx',
    async act(page) {
      await page.reads('it is shown only once');
      await page.answer('Done');
      await waitUntilClosed(page);
      await waitUntilShown(page, named('webhook'));
    },
  },
  {
    title: `Settings of ${named('webhook')}`,
    from: 'team/webhooks/webhook-form.tsx',
    menu: `Actions for ${named('webhook')}`,
    open: 'Change the settings',
    async act(page) {
      await page.fill('Name', named('hook'));
      await page.answer('Save');
      await waitUntilClosed(page);
      await waitUntilShown(page, named('hook'));
    },
  },
  {
    title: `Renew the secret of ${named('hook')}?`,
    from: 'team/webhooks/webhook-form.tsx',
    menu: `Actions for ${named('hook')}`,
    open: 'Renew the secret',
    act: (page) => page.answer('Renew the secret'),
  },
  {
    title: 'The secret is renewed',
    from: 'team/webhooks/webhook-form.tsx',
    async act(page) {
      await page.reads('it is shown only once');
      await page.answer('Done');
      await waitUntilClosed(page);
    },
  },
  {
    title: `Actions for ${named('hook')}`,
    from: 'team/webhooks/webhooks.tsx',
    menu: `Actions for ${named('hook')}`,
    async act(page) {
      await page.evaluate(`[...document.querySelectorAll('.menu:popover-open .menu-item')]
        .find((each) => each.innerText.trim() === 'Send a test message').click()`);
      await waitForNotice(page, 'The address leads to a machine that the server may not use');
    },
  },
  {
    title: 'Remove this webhook?',
    from: 'team/webhooks/webhooks.tsx',
    menu: `Actions for ${named('hook')}`,
    open: 'Remove',
    async act(page) {
      await page.answer('Remove');
      await waitForNotice(page, 'The webhook is removed.');
      await waitUntilShown(page, 'No webhooks yet');
    },
  },
];

export const identitySteps = (it: DialogFixture): DialogStep[] => [
  ...connectedSteps(),
  ...providerSteps(it),
  ...tokenSteps(),
  ...webhookSteps(),
];
