/** What is logged of failures that repeat. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFailureLog } from './failure-log.ts';

test('a failure that lasts is logged once, another one and the next outage again', () => {
  const logged: string[] = [];
  const error = ({ err }: { err: Error }): void => void logged.push(err.message);
  const { onFailure, onSuccess } = createFailureLog({ error } as never, 'failed');

  for (const reason of ['away', 'away', 'sealed', 'sealed']) onFailure(new Error(reason));
  onSuccess();
  onFailure(new Error('sealed'));

  assert.deepEqual(logged, ['away', 'sealed', 'sealed']);
});
