/** Texts of the pages of directories, from which people and departments are imported. */
import type { directories } from '@drawbridge/contract/v1/directories';
import type { Output } from '@drawbridge/contract/operation';

type Report = Output<(typeof directories)['team/directory/plan']>['data'];

const count = (amount: number, one: string, many: string): string =>
  `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;

const problems = {
  '': '',
  unreachable: 'The server does not respond. Check the address and whether a firewall is in between.',
  certificate:
    'The certificate of the server is not trusted, or is for another name. Check the address and the certificate authority.',
  credentials: 'The server refused the entry that reads or its password.',
  secret_unreadable: 'The password must be entered again: its key is not on this server.',
  settings: 'The server does not know the base, or a filter is wrong.',
  timeout: 'It took more than a minute. Narrow the filters.',
  too_large: 'The directory is too large. Narrow the filters.',
  incomplete: 'The server sent only a part. Raise its size limit for the entry that reads.',
  address:
    'The server does not connect to this address: it is of the server itself, or of its network segment.',
  no_uid: 'An entry has no id that never changes. Let the entry that reads see entryUUID or objectGUID.',
  rights:
    'The import would give more rights than the person who last changed the settings has. The owner can save the settings again.',
  failed: 'The directory could not be read.',
  no_people: 'No person was found. Check the base and the filter for people.',
  no_groups: 'No group was found. Check the base and the filter for groups.',
  duplicate_uid: 'Two entries have the same id.',
  too_many_removals: 'More would be taken away than is allowed without confirmation.',
} satisfies Record<Report['problem'], string>;

/** Completes the sentence "they tried to import a directory, but …". */
const becauseOf = {
  unreachable: 'its server did not respond',
  certificate: 'the certificate of its server was not trusted',
  credentials: 'its server refused the entry that reads or its password',
  secret_unreadable: 'the key of its password was not on the server',
  settings: 'its server did not know the base, or a filter was wrong',
  timeout: 'it took more than a minute',
  too_large: 'it was too large',
  incomplete: 'its server sent only a part',
  address: 'the server does not connect to its address',
  no_uid: 'an entry had no id that never changes',
  rights: 'it would have given more rights than the person who last changed the settings has',
  failed: 'it could not be read',
  no_people: 'no person was found in it',
  no_groups: 'no group was found in it',
  duplicate_uid: 'two entries had the same id',
  too_many_removals: 'more would have been taken away than is allowed without confirmation',
} satisfies Record<Exclude<Report['problem'], ''>, string>;

const shortProblems = {
  '': 'Imported',
  unreachable: 'Not reachable',
  certificate: 'Not trusted',
  credentials: 'Refused',
  secret_unreadable: 'Password needed',
  settings: 'Wrong settings',
  timeout: 'Too slow',
  too_large: 'Too large',
  incomplete: 'Incomplete',
  address: 'Address not allowed',
  no_uid: 'No unchanging id',
  rights: 'Not allowed',
  failed: 'Failed',
  no_people: 'Nobody found',
  no_groups: 'No groups found',
  duplicate_uid: 'Id used twice',
  too_many_removals: 'Stopped',
} satisfies Record<Report['problem'], string>;

const kinds = {
  create_person: (amount: number) => count(amount, 'person is added', 'people are added'),
  adopt_person: (amount: number) =>
    count(amount, 'person comes under its control', 'people come under its control'),
  change_email: (amount: number) => count(amount, 'address changes', 'addresses change'),
  disable_person: (amount: number) => count(amount, 'person is disabled', 'people are disabled'),
  enable_person: (amount: number) => count(amount, 'person returns', 'people return'),
  create_department: (amount: number) => count(amount, 'department is added', 'departments are added'),
  rename_department: (amount: number) => count(amount, 'department is renamed', 'departments are renamed'),
  join: (amount: number) => count(amount, 'person joins a department', 'people join departments'),
  leave: (amount: number) => count(amount, 'person leaves a department', 'people leave departments'),
  skip: (amount: number) => count(amount, 'entry is skipped', 'entries are skipped'),
} satisfies Record<Report['counts'][number]['kind'], (amount: number) => string>;

const details: Readonly<Record<string, string>> = {
  left: 'no longer in the directory',
  disabled: 'disabled in the directory',
  no_email: 'has no e-mail address',
  email_taken: 'somebody else has this e-mail address',
};

export const directoryTexts = {
  label: 'Directories',
  none: 'No directories yet',
  noneText:
    'Import people and departments from OpenLDAP, Samba AD or Active Directory. Groups become departments, and changes there are followed here.',
  create: 'Connect a directory',
  createTitle: 'Connect a directory',
  created: 'The directory was connected. Nothing is imported yet.',
  name: 'Name',
  server: 'Server',
  last: 'Last import',
  never: 'Never imported',
  schedule: 'Schedule',
  next: 'Next import',
  settings: 'Settings',
  import: 'Import',
  importLead: 'The whole directory is read first. If something goes wrong, nothing changes.',
  plan: 'Test and show changes',
  planning: 'Reading the directory…',
  run: 'Import now',
  running: 'Importing the directory. This can take a minute…',
  wouldChange: 'An import would change this',
  wouldNothing: 'The connection works. An import would change nothing.',
  changed: 'The import changed this',
  changedNothing: 'Imported. Nothing had to change.',
  unchanged: 'Nothing was changed',
  problems,
  becauseOf,
  shortProblems,
  kinds,
  listOf: (heading: string) => `${heading}: list`,
  changeOf: ({ person = '', department = '', detail = '' }: Report['changes'][number]) => {
    const what = [person, department].filter(Boolean).join(' → ');
    return detail === '' ? what : `${what} (${details[detail] ?? detail})`;
  },
  andMore: (more: number) => `and ${more.toLocaleString('en')} more`,
  confirmText: (percent: number, limit: number) =>
    `The import takes away ${percent} % of the people or memberships; your limit is ${limit} %. People who are disabled are signed out at once. They return with the same rights when the directory has them again.`,
  confirmYes: 'Import all the same',
  removeTitle: (name: string) => `Remove the directory ${name}?`,
  removeText:
    'The connection and its password are forgotten. People and departments stay as they are, and can be changed here from then on.',
  removed: 'The directory was removed.',
  gone: 'There is no such directory.',
  saved: 'The settings were saved.',
  form: {
    name: 'Name',
    nameHint: 'For example “Head office”.',
    url: 'Address of the server',
    urlHint: 'ldaps://directory.example.com. With ldap://, StartTLS encrypts the connection.',
    ca: 'Certificate authority',
    caHint:
      'Certificates (PEM) of your own authority. Empty if the server’s certificate is publicly trusted.',
    bindDn: 'Entry that reads the directory',
    bindDnHint: 'For example cn=reader,dc=example,dc=com. It needs no right to change anything.',
    bindPassword: 'Password of this entry',
    keepPassword: 'Leave it empty to keep the stored password.',
    base: 'Base',
    baseHint: 'People and groups are searched below this entry, for example dc=example,dc=com.',
    personFilter: 'Filter for people',
    groupFilter: 'Filter for groups',
    groupFilterHint: 'Each group becomes a department, with the people of the groups inside it.',
    adopt: 'Take over people who are already in the account',
    adoptHint: 'If the directory has their e-mail address, it can change and disable them from then on.',
    signIn: 'Sign in with the password of the directory',
    signInHint:
      'People of the directory then need no password here; the owner and server administrators keep their own. Only a server administrator can turn this on, and change this directory while it is on.',
    schedule: 'Import',
    onRequest: 'only when asked',
    hours: (hours: number) => (hours === 1 ? 'every hour' : `every ${hours} hours`),
    minutes: (minutes: number) => `every ${minutes} minutes`,
    day: 'every day',
    week: 'every week',
    removal: 'Ask before an import takes away more than (percent)',
    removalHint: 'Of the people or of the memberships.',
  },
} as const;
