/** The command line of a program that is started again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteArgument } from './elevation.ts';

test('arguments are quoted so that a program on Windows reads what was meant', () => {
  const quoted = ['join', 'C:\\some folder\\', 'a"b', String.raw`a\"b`, ''].map(quoteArgument);

  assert.deepEqual(quoted, [
    '"join"',
    String.raw`"C:\some folder\\"`,
    String.raw`"a\"b"`,
    String.raw`"a\\\"b"`,
    '""',
  ]);
});
