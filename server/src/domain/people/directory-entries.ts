/** Turns entries of an LDAP directory into people and groups: which attributes are read and what they mean. */
import { email as emailField } from '@drawbridge/contract/fields';
import { parseAs } from '@drawbridge/contract/parse';
import type { DirectoryGroup, DirectoryPerson } from './directory.ts';

export interface DirectoryEntry {
  dn: string;
  /** The values of an attribute; bytes in hexadecimal. */
  values(attribute: string): readonly string[];
}

/** Attributes whose values are bytes. */
export const byteAttributes = ['objectGUID'];

/** What never changes in an entry; each kind of server has one of them. */
export const uidAttributes = ['entryUUID', 'nsUniqueId', ...byteAttributes];

export const personAttributes = [
  ...uidAttributes,
  'mail',
  'userAccountControl',
  'accountExpires',
  'nsAccountLock',
  'pwdAccountLockedTime',
];

const memberAttributes = ['member', 'uniqueMember'] as const;

export const groupAttributes = [...uidAttributes, 'cn', ...memberAttributes];

/** What never changes, whatever happens to the name and place of an entry. */
const uidOf = (entry: DirectoryEntry): string | undefined =>
  uidAttributes.flatMap((each) => entry.values(each))[0];

/** Undefined for an entry without a uid: it could not be found again after a rename. */
export function toDirectoryPerson(entry: DirectoryEntry, now: number): DirectoryPerson | undefined {
  const uid = uidOf(entry);
  if (uid === undefined) return undefined;
  const mail = parseAs(emailField, entry.values('mail')[0]);
  return { uid, dn: entry.dn, email: mail.data, disabled: isDisabledEntry(entry, now) };
}

const maxNameLength = 128;

export function toDirectoryGroup(entry: DirectoryEntry): DirectoryGroup | undefined {
  const uid = uidOf(entry);
  if (uid === undefined) return undefined;
  const text = (entry.values('cn')[0] ?? '').replace(/\p{Cc}/gu, ' ').trim();
  const name = [...text].slice(0, maxNameLength).join('') || uid;
  return { uid, dn: entry.dn, name, members: memberAttributes.flatMap((each) => entry.values(each)) };
}

/** ACCOUNTDISABLE of Active Directory. */
const accountDisabled = 2;
/** Locked until an administrator unlocks it; any other time is a pause after wrong passwords, which anybody can cause. */
const lockedForGood = '000001010000Z';
/** From 1601, where the times of Active Directory begin, to 1970, in seconds. */
const secondsBefore1970 = 11_644_473_600;
const neverExpires = ['0', '9223372036854775807'];

function isDisabledEntry(entry: DirectoryEntry, now: number): boolean {
  const [control, expires] = [entry.values('userAccountControl')[0], entry.values('accountExpires')[0]];
  const isExpired =
    expires !== undefined &&
    !neverExpires.includes(expires) &&
    Number(expires) / 10_000_000 - secondsBefore1970 <= now;
  return (
    isExpired ||
    (Number(control ?? 0) & accountDisabled) !== 0 ||
    entry.values('nsAccountLock')[0]?.toLowerCase() === 'true' ||
    entry.values('pwdAccountLockedTime')[0] === lockedForGood
  );
}
