/** Texts of the page about provisioning. */
const count = (amount: number, one: string, many: string): string => `${amount} ${amount === 1 ? one : many}`;

export const provisioningTexts = {
  title: 'Provisioning (SCIM)',
  lead: 'An identity provider such as Okta or Entra ID adds people and departments here, and disables people who leave.',
  baseUrl: 'Base URL',
  baseUrlHint: 'Enter this address and a token at your identity provider.',
  looksAfter: (people: number, departments: number) =>
    `Identity providers look after ${count(people, 'person', 'people')} and ${count(departments, 'department', 'departments')}.`,
  table: 'Tokens',
  create: 'Create a token',
  none: 'No tokens yet',
  noneText: 'Create one for your identity provider.',
  name: 'Name',
  creator: 'Created by',
  expires: 'Expires',
  never: 'never',
  expired: 'expired',
  stopped: {
    creator_disabled: 'stopped: its creator is disabled',
    creator_without_right: 'stopped: its creator may not manage people',
  },
  stoppedHint: 'Create a new token, enter it at the identity provider, then remove this one.',
  lastUsed: 'Last used',
  unused: 'never',
  remove: (name: string) => `Remove ${name}`,
  removeTitle: 'Remove this token?',
  removeText: (name: string) =>
    `The identity provider that uses “${name}” is refused from now on. People and departments stay as they are.`,
  removeYes: 'Remove the token',
  removed: 'The token is removed.',
  dialog: {
    title: 'Create a token',
    nameHint: 'Which identity provider uses it, such as “Okta”.',
    unnamed: 'Identity provider',
    presets: { never: 'Never', '90': 'In 90 days', '365': 'In a year' },
    rights: 'The token can do only what you may do, as long as you may do it.',
    submit: 'Create the token',
    madeTitle: 'The token is ready',
    madeText: 'Copy the token now: it is shown only once.',
    madeLabel: 'Token',
  },
};
