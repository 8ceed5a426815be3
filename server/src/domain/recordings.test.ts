/** The rules of recordings: addresses, and how long one may grow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRecordingAddress, mayAppendChunks, parseRecordingAddress } from './recordings.ts';

const seal = 'abcdefghijklmnopqrst-_';

test('an address tells which recording it is and who it was made for', () => {
  const address = { session: 12, member: 3 };

  assert.deepEqual(parseRecordingAddress(toRecordingAddress(address, seal)), { ...address, seal });
});

test('what does not look exactly like an address is none', () => {
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

test('a recording grows while its session runs and ten minutes longer', () => {
  assert.deepEqual(
    [mayAppendChunks(null, 5_000), mayAppendChunks(1_000, 1_599), mayAppendChunks(1_000, 1_600)],
    [true, true, false],
  );
});
