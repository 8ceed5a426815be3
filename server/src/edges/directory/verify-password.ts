/** Checks the password of a person with their LDAP server: finds their entry by its uid, then authenticates as that entry. */
import type { Client, Filter } from 'ldapts';
import type {
  DirectoryConnection,
  DirectoryMatch,
  DirectoryPassword,
} from '../../domain/people/directory-connection.ts';
import {
  byteAttributes,
  personAttributes,
  toDirectoryPerson,
  uidAttributes,
} from '../../domain/people/directory-entries.ts';
import { withConnection, type ReadLimits } from './connect.ts';
import { toDirectoryEntry } from './entries.ts';

const limits: ReadLimits = { ms: 8_000, bytes: 1024 * 1024, entries: 1 };

/** The most checks that wait for one server at a time. */
const maxChecks = 16;

/** The person filter and the uid, as objects: nothing is inserted into the text of a filter. */
async function filterFor({ personFilter }: DirectoryConnection, uid: string): Promise<Filter> {
  const { AndFilter, EqualityFilter, FilterParser, OrFilter } = await import('ldapts');
  const filters = uidAttributes.map((attribute) => {
    const value = byteAttributes.includes(attribute) ? Buffer.from(uid, 'hex') : uid;
    return new EqualityFilter({ attribute, value });
  });
  return new AndFilter({ filters: [FilterParser.parseString(personFilter), new OrFilter({ filters })] });
}

/** The DN of the one enabled entry with this uid; undefined if there is none. */
async function findDn(
  client: Client,
  connection: DirectoryConnection,
  uid: string,
  now: number,
): Promise<string | undefined> {
  const { searchEntries } = await client.search(connection.base, {
    filter: await filterFor(connection, uid),
    attributes: personAttributes,
    explicitBufferAttributes: byteAttributes,
  });
  const [entry, ...others] = searchEntries.map((raw) => toDirectoryPerson(toDirectoryEntry(raw), now));
  const isTheirs = entry?.uid === uid && !entry.disabled && others.length === 0;
  return isTheirs && entry.dn !== '' ? entry.dn : undefined;
}

/** The errors with which a server refuses a person. All others mean that it could not decide. */
const refusals = [
  'InvalidCredentialsError',
  'InappropriateAuthError',
  'InsufficientAccessError',
  'ConstraintViolationError',
  'UnwillingToPerformError',
  'NoSuchObjectError',
];

async function authenticate(client: Client, dn: string, password: string): Promise<DirectoryMatch> {
  try {
    await client.bind(dn, password);
    return 'right';
  } catch (error) {
    if (error instanceof Error && refusals.includes(error.constructor.name)) return 'wrong';
    throw error;
  }
}

interface VerifyOptions {
  now: number;
  allowLoopback: boolean;
}

async function verify(
  connection: DirectoryConnection,
  { uid, password }: DirectoryPassword,
  { now, allowLoopback }: VerifyOptions,
): Promise<DirectoryMatch> {
  // To an LDAP server, an empty password is no authentication, and it succeeds.
  if (password === '') return 'wrong';
  try {
    const match = await withConnection(connection, { limits, allowLoopback }, async (client) => {
      const dn = await findDn(client, connection, uid, now);
      return dn === undefined ? 'wrong' : authenticate(client, dn, password);
    });
    return typeof match === 'string' ? match : 'unavailable';
  } catch {
    return 'unavailable';
  }
}

/** How many checks wait for each directory, by its id. */
const waiting = new Map<number, number>();

export async function verifyDirectoryPassword(
  connection: DirectoryConnection,
  given: DirectoryPassword,
  options: VerifyOptions,
): Promise<DirectoryMatch> {
  const { directoryId } = given;
  const before = waiting.get(directoryId) ?? 0;
  if (before >= maxChecks) return 'busy';
  waiting.set(directoryId, before + 1);
  try {
    return await verify(connection, given, options);
  } finally {
    const left = waiting.get(directoryId)! - 1;
    if (left === 0) waiting.delete(directoryId);
    else waiting.set(directoryId, left);
  }
}
