/** Tests how entries are read, also in parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readParts, toDirectoryEntry, type RawEntry } from './entries.ts';

test('attributes are found in any case, and bytes are hexadecimal', () => {
  const entry = toDirectoryEntry({ dn: 'cn=x', ObjectGuid: Buffer.from([0, 255]), mail: ['a', 'b'] });

  assert.deepEqual(entry.values('objectGUID'), ['00ff']);
  assert.deepEqual(entry.values('Mail'), ['a', 'b']);
  assert.deepEqual(entry.values('cn'), []);
});

test('members that come in parts are read to the last one', async () => {
  const asked: string[] = [];
  const parts: Record<string, RawEntry> = {
    'member;range=2-*': { dn: 'cn=x', 'member;range=2-3': ['c', 'd'] },
    'member;range=4-*': { dn: 'cn=x', 'member;range=4-*': 'e' },
  };
  const first: RawEntry = { dn: 'cn=x', member: [], 'member;range=0-1': ['a', 'b'] };

  const members = await readParts(first, async (attribute) => (asked.push(attribute), parts[attribute]));

  assert.deepEqual(members, ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(asked, Object.keys(parts));
  assert.deepEqual(toDirectoryEntry(first, members).values('member'), members);
});

test('a missing part is noticed, and whole members need no parts', async () => {
  const nothing = async () => undefined;

  assert.equal(await readParts({ dn: 'cn=x', 'member;range=0-1': ['a', 'b'] }, nothing), undefined);
  assert.deepEqual(await readParts({ dn: 'cn=x', member: ['a'] }, nothing), []);
});
