/** Tests what the attributes of directory entries mean. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDirectoryGroup, toDirectoryPerson } from './directory-entries.ts';

const now = 1_800_000_000;
const entry = (attributes: Record<string, string | string[]>) => ({
  dn: 'cn=x',
  values: (name: string): string[] => [attributes[name] ?? []].flat(),
});
const isDisabled = (attributes: Record<string, string>): boolean | undefined =>
  toDirectoryPerson(entry({ entryUUID: 'u', ...attributes }), now)?.disabled;
/** A time of Active Directory. */
const fileTime = (seconds: number): string => String((seconds + 11_644_473_600) * 10_000_000);

test('accounts that are switched off, locked for good or expired are disabled', () => {
  const off = [
    { userAccountControl: '514' },
    { nsAccountLock: 'TRUE' },
    { pwdAccountLockedTime: '000001010000Z' },
    { accountExpires: fileTime(now - 1) },
  ];
  const on = [
    {},
    { userAccountControl: '512' },
    { nsAccountLock: 'FALSE' },
    { pwdAccountLockedTime: '20260101000000Z' },
    { accountExpires: fileTime(now + 60) },
    { accountExpires: '0' },
    { accountExpires: '9223372036854775807' },
  ];

  assert.deepEqual(off.map(isDisabled), Array(off.length).fill(true));
  assert.deepEqual(on.map(isDisabled), Array(on.length).fill(false));
});

test('entries are known by what never changes, and not read without it', () => {
  const uids = [{ entryUUID: 'a' }, { objectGUID: '00ff' }, { nsUniqueId: 'c' }].map(
    (attributes) => toDirectoryPerson(entry(attributes), now)?.uid,
  );

  assert.deepEqual(uids, ['a', '00ff', 'c']);
  assert.equal(toDirectoryPerson(entry({ cn: 'x', mail: 'x@example.org' }), now), undefined);
  assert.equal(toDirectoryGroup(entry({ cn: 'x' })), undefined);
});

test('what is no e-mail address is none, and names of groups are shown safely', () => {
  const addressOf = (mail: string) => toDirectoryPerson(entry({ entryUUID: 'u', mail }), now)?.email;
  const nameOf = (cn: string) => toDirectoryGroup(entry({ entryUUID: 'u', cn }))?.name;

  assert.deepEqual(['ann@example.org', 'ann', 'a b@x', ''].map(addressOf), [
    'ann@example.org',
    ...Array(3).fill(undefined),
  ]);
  assert.deepEqual([nameOf('a\u0007b'), nameOf(' '), nameOf('x'.repeat(200))?.length], ['a b', 'u', 128]);
});

test('members are read from both kinds of groups', () => {
  const group = toDirectoryGroup(entry({ entryUUID: 'u', cn: 'x', member: ['a', 'b'], uniqueMember: 'c' }));

  assert.deepEqual(group?.members, ['a', 'b', 'c']);
});
