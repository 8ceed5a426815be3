/** Tests of paths and records of the file system of Windows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotPossible } from '../../platform.ts';
import { fromWindowsPath, parsePath } from './path-rules.ts';
import { readEntry } from './read-folder.ts';
import { requireSuccess } from './statuses.ts';

test('paths start at a root that contains the drives', () => {
  assert.equal(parsePath('/'), undefined);
  assert.deepEqual(parsePath('/c:'), { drive: 'C:', names: [] });
  assert.deepEqual(parsePath('/C:/Users/ann/./a b.txt'), { drive: 'C:', names: ['Users', 'ann', 'a b.txt'] });
  assert.equal(fromWindowsPath('C:\\Users\\ann\\'), '/C:/Users/ann');
});

const refused = [
  '/etc/passwd',
  '/CC:/x',
  '/C:/../x',
  '/C:/a/../../x',
  '/C:/a\\b',
  '/C:/file.txt:stream',
  '/C:/dir::$INDEX_ALLOCATION',
  '/C:/nul',
  '/C:/COM1',
  '/C:/lpt9.txt',
  '/C:/com¹',
  '/C:/conout$',
  '/C:/what?',
  '/C:/trailing.',
  '/C:/trailing ',
  '/C:/a\u0000b',
  `/C:/${'x'.repeat(256)}`,
];

for (const path of refused)
  test(`the path ${JSON.stringify(path).slice(0, 40)} is refused`, () => {
    assert.throws(() => parsePath(path), NotPossible);
  });

test('a path that leads upwards is refused with a sentence of its own', () => {
  assert.throws(() => parsePath('/C:/a/../x'), new NotPossible('The path must not contain "..".'));
});

test('names that only resemble those of devices are allowed', () => {
  for (const name of ['console', 'nul2', 'com', 'com10', 'aux-file', '.nul', 'lpt'])
    assert.deepEqual(parsePath(`/C:/${name}`)?.names, [name]);
});

/** A record of a folder's list. */
function record(attributes: number, tag: number): Buffer {
  const bytes = Buffer.alloc(80);
  bytes.writeBigInt64LE(133_444_736_000_000_000n, 24);
  bytes.writeBigInt64LE(1_234n, 40);
  bytes.writeUInt32LE(attributes, 56);
  bytes.writeUInt32LE(8, 60);
  bytes.writeUInt32LE(tag, 64);
  bytes.write('näme', 68, 'utf16le');
  return bytes;
}

test('files, folders and links are told apart', () => {
  const file = { name: 'näme', kind: 'file', size: 1_234, time: 1_700_000_000, writable: true };
  const junction = 0xa000_0003;
  const cloudFile = 0x9000_001a;

  assert.deepEqual(readEntry(record(0x20, 0)), file);
  assert.deepEqual(readEntry(record(0x21, 0)), { ...file, writable: false });
  assert.deepEqual(readEntry(record(0x11, 0)), { ...file, kind: 'folder', size: 0 });
  assert.equal(readEntry(record(0x410, junction)).kind, 'link');
  assert.equal(readEntry(record(0x420, cloudFile)).kind, 'file');
});

test('a status of the kernel is an error with the code that Node uses', () => {
  const denied = 0xc000_0022 | 0;

  requireSuccess(0);
  assert.throws(() => requireSuccess(denied), { code: 'EACCES' });
  assert.throws(() => requireSuccess(0xc012_3456 | 0), { code: '0xc0123456' });
});
