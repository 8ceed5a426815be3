/** The rules of recordings: addresses, and how long chunks are accepted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRecordingAddress, mayAppendChunks, parseRecordingAddress } from './recordings.ts';

const seal = 'abcdefghijklmnopqrst-_';

test('an address names its recording and the person it was made for', () => {
  const address = { session: 12, member: 3 };

  assert.deepEqual(parseRecordingAddress(toRecordingAddress(address, seal)), { ...address, seal });
});

test('text that does not match the format exactly is not an address', () => {
  const wrong = [
    '',
    '12.3',
    `12.3.${seal}x`,
    `12.3.${seal.slice(1)}`,
    `0.3.${seal}`,
    `012.3.${seal}`,
    `12.-3.${seal}`,
    `12.3.${seal}\n`,
    `1e3.3.${seal}`,
    `99999999999999999.3.${seal}`,
  ];

  for (const text of wrong) assert.equal(parseRecordingAddress(text), undefined, text);
});

test('chunks are accepted while the session runs and for ten minutes after', () => {
  assert.deepEqual(
    [mayAppendChunks(null, 5_000), mayAppendChunks(1_000, 1_599), mayAppendChunks(1_000, 1_600)],
    [true, true, false],
  );
});
