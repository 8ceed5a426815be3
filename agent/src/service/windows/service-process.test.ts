/** Tests of how the process of the Windows service ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endCode } from './service-process.ts';

test('a service that ends says so, and one that fails does not, so that Windows starts it again', async () => {
  const said: string[] = [];
  const note = (line: string): void => void said.push(line);

  const codes = [
    await endCode({ ended: Promise.resolve() }, note, note),
    await endCode({ ended: Promise.reject(new Error('no memory')) }, note, note),
  ];

  assert.deepEqual(
    [codes, said],
    [
      [0, 1],
      ['stopped', 'the service fails: Error: no memory'],
    ],
  );
});
