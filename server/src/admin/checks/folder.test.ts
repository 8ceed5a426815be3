/** When a disk counts as full. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDiskSpace } from './folder.ts';

test('a disk with less than a tenth free is a warning, and one with less than a hundredth a problem', () => {
  const stateOf = (bavail: number): string =>
    checkDiskSpace({ bavail, blocks: 1_000, bsize: 1_048_576 }).state;

  assert.deepEqual([1_000, 100, 99, 10, 9, 0].map(stateOf), [
    'ok',
    'ok',
    'warning',
    'warning',
    'problem',
    'problem',
  ]);
  assert.equal(
    checkDiskSpace({ bavail: 50, blocks: 1_000, bsize: 1_048_576 }).says,
    '5 % of its disk is free (50 MB): free some space before it is full.',
  );
});
