/** Texts of the page for server administrators. */
import { numeral } from './language.ts';
export const serverTexts = {
  title: 'Server',
  lead: 'The accounts on this server. Each has its own people, devices and rights, and cannot see the others.',
  search: 'Search by owner',
  create: 'New account',
  label: 'Accounts',
  owner: 'Owner',
  members: 'People',
  devices: 'Devices',
  online: (online: number, devices: number) => `${online} of ${devices} online`,
  plan: 'Plan',
  since: 'Since',
  none: 'No account matches the search',
  unlimitedPlan: 'Unlimited',
  limits: (some: string) => `Limits: ${some}`,
  shortNames: {
    computers: 'devices',
    invitations: 'invitations',
    files: 'files',
    requests: 'requests',
    recording_mb: 'recordings',
  },
  usedUp: (some: string) => `Used up: ${some}`,
  editPlan: 'Change the plan',
  actions: (owner: string) => `Actions for ${owner}`,
  details: 'Usage',
  total: (total: number) => (total === 1 ? '1 account' : `${numeral(total)} accounts`),
  createTitle: 'New account',
  createText: 'The owner gets a link to choose a password. Nobody else has access to the account.',
  email: 'E-mail address of the owner',
  createdTitle: 'The account is ready',
  link: (email: string) => `Send this link to ${email}. It is shown only now and works once.`,
  linkLabel: 'Sign-in link',
  done: 'Done',
  planTitle: (owner: string) => `Plan of ${owner}`,
  planHint: 'Leave a field empty for no limit.',
  fields: {
    computers: 'Devices',
    invitations: 'Invitations per month',
    files: 'Attached files',
    requests: 'API requests per hour',
    recording_mb: 'Recordings, in MB',
  },
  used: (used: string) => `${used} in use now`,
  notANumber: 'Enter a whole number, or leave it empty.',
  renewal: {
    failed: (attempts: number) =>
      attempts === 1
        ? 'The certificate of this server could not be renewed.'
        : `The certificate of this server could not be renewed in ${numeral(attempts)} attempts.`,
    noneYet: (attempts: number) =>
      attempts === 1
        ? 'No certificate could be obtained yet; the server presents one that it created itself.'
        : `No certificate could be obtained in ${numeral(attempts)} attempts; the server presents one that it created itself.`,
    ends: 'The certificate ends',
    retry: 'Next attempt',
  },
  planSaved: 'The plan was changed. It applies from now on.',
} as const;
