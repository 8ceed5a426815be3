/** Reads all people and groups of an LDAP directory, or nothing. */
import type { Client } from 'ldapts';
import type {
  DirectoryConnection,
  DirectoryReading,
  FailedReading,
  ReadFailure,
} from '../../domain/people/directory-connection.ts';
import {
  groupAttributes,
  personAttributes,
  toDirectoryGroup,
  toDirectoryPerson,
} from '../../domain/people/directory-entries.ts';
import type { DirectoryGroup } from '../../domain/people/directory.ts';
import { blockedAddressCode, withConnection, type DirectoryAccess, type ReadLimits } from './connect.ts';
import { readParts, toDirectoryEntry, type RawEntry } from './entries.ts';
import { readAll, type DirectorySearch } from './pages.ts';

const defaultLimits: ReadLimits = { ms: 60_000, bytes: 32 * 1024 * 1024, entries: 20_000 };

async function readGroup(client: Client, raw: RawEntry): Promise<DirectoryGroup | FailedReading> {
  const members = await readParts(raw, async (attribute) => {
    const { searchEntries } = await client.search(raw.dn, { scope: 'base', attributes: [attribute] });
    return searchEntries[0];
  });
  if (!members) return { failure: 'incomplete' };
  return toDirectoryGroup(toDirectoryEntry(raw, members)) ?? { failure: 'no_uid' };
}

async function readGroups(
  client: Client,
  search: DirectorySearch,
  maxEntries: number,
): Promise<DirectoryGroup[] | FailedReading> {
  const entries = await readAll(client, search, maxEntries);
  if ('failure' in entries) return entries;
  const groups: DirectoryGroup[] = [];
  for (const raw of entries) {
    const group = await readGroup(client, raw);
    if ('failure' in group) return group;
    groups.push(group);
  }
  return groups;
}

async function areFilters(...filters: string[]): Promise<boolean> {
  const { FilterParser } = await import('ldapts');
  try {
    for (const filter of filters) FilterParser.parseString(filter);
    return true;
  } catch {
    return false;
  }
}

async function readSnapshot(
  client: Client,
  { base, personFilter, groupFilter }: DirectoryConnection,
  { now, limits }: { now: number; limits: ReadLimits },
): Promise<DirectoryReading> {
  if (!(await areFilters(personFilter, groupFilter))) return { failure: 'settings' };
  const personSearch = { base, filter: personFilter, attributes: personAttributes };
  const entries = await readAll(client, personSearch, limits.entries);
  if ('failure' in entries) return entries;
  const people = entries.flatMap((raw) => toDirectoryPerson(toDirectoryEntry(raw), now) ?? []);
  if (people.length < entries.length) return { failure: 'no_uid' };
  const groupSearch = { base, filter: groupFilter, attributes: groupAttributes };
  const groups = await readGroups(client, groupSearch, limits.entries - people.length);
  return 'failure' in groups ? groups : { snapshot: { people, groups } };
}

/** By the name of the error that the client throws for a code of the server. */
const failuresByName: Record<string, ReadFailure> = {
  InvalidCredentialsError: 'credentials',
  InsufficientAccessError: 'credentials',
  InappropriateAuthError: 'credentials',
  InvalidDNSyntaxError: 'settings',
  NoSuchObjectError: 'settings',
  SizeLimitExceededError: 'incomplete',
  TimeLimitExceededError: 'incomplete',
  AdminLimitExceededError: 'incomplete',
};

/** The code of a server that names another one, which has the base. It is not asked. */
const referralCode = '10';

const unreachableCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
];

/** Only the kind of failure is shown: the texts of a server that an account names are not for its people. */
function failureOf(error: unknown): ReadFailure {
  if (!(error instanceof Error)) return 'failed';
  const { name, constructor } = error;
  const code = 'code' in error ? String(error.code) : '';
  const known = failuresByName[constructor.name] ?? failuresByName[name];
  if (known) return known;
  if (code === blockedAddressCode) return 'address';
  if (code === referralCode) return 'settings';
  if (unreachableCodes.includes(code)) return 'unreachable';
  if (/CERT|UNABLE_TO|SELF_SIGNED|HOSTNAME/.test(code)) return 'certificate';
  return 'failed';
}

export async function readDirectory(
  connection: DirectoryConnection,
  now: number,
  {
    limits = defaultLimits,
    allowLoopback,
  }: Partial<DirectoryAccess> & Pick<DirectoryAccess, 'allowLoopback'>,
): Promise<DirectoryReading> {
  try {
    return await withConnection(connection, { limits, allowLoopback }, (client) =>
      readSnapshot(client, connection, { now, limits }),
    );
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
