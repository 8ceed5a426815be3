/** Which files a list of addresses names. */
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { localPathsOf } from './uri-list.ts';

test('the files of this device are found, each once and in their order', () => {
  const list = [
    '# a comment',
    'file:///tmp/b%20c.txt',
    'file://localhost/tmp/%C3%A4',
    `file://${hostname()}/tmp/folder/`,
    'FILE:///tmp/b%20c.txt',
    '',
  ];

  assert.deepEqual(localPathsOf(list.join('\r\n')), ['/tmp/b c.txt', '/tmp/ä', '/tmp/folder']);
});

const others = {
  'another machine': 'file://elsewhere.example.com/tmp/a',
  'another protocol': 'smb://localhost/tmp/a',
  'a path without a machine': 'file:/tmp/a',
  'the folder of all files': 'file:///',
  'a way out of a folder': 'file:///tmp/%2e%2e/etc/passwd',
  'an empty name': 'file:///tmp//a',
  'a NUL': 'file:///tmp/a%00b',
  'what is no text': 'file:///tmp/%ff',
  'a query': 'file:///tmp/a?b',
  'a long name': `file:///${'a'.repeat(1_025)}`,
  'a long path': `file://${'/abcdefg'.repeat(513)}`,
};
for (const [what, address] of Object.entries(others))
  test(`${what} is left out`, () => assert.deepEqual(localPathsOf(address), []));
