/** Which part of a file a request asks for: the cases of the Range header. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseByteRange } from './range.ts';

const cases: [string | undefined, ReturnType<typeof parseByteRange>][] = [
  [undefined, undefined],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-5', { start: 95, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=100-', 'beyond'],
  ['bytes=-0', 'beyond'],
  ['bytes=-', undefined],
  ['bytes=5-2', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=1-2', undefined],
  ['bytes=0x1-2', undefined],
];

for (const [asked, expected] of cases)
  test(`of a file with 100 bytes, "${asked}" is ${JSON.stringify(expected) ?? 'the whole'}`, () => {
    assert.deepEqual(parseByteRange(asked, 100), expected);
  });
