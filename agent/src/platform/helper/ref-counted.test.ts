/** Tests that a shared connection is opened once, and again after its last user has closed it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refCounted } from './ref-counted.ts';

/** A connection that never tells that it has closed. */
function openCounted() {
  const events: string[] = [];
  let last = 0;
  const acquire = refCounted(async () => {
    const name = (last += 1);
    events.push(`open ${name}`);
    return { onClose: () => {}, close: () => void events.push(`close ${name}`) };
  });
  return { events, acquire };
}

test('the last user closes the connection, and the next one opens another', async () => {
  const { events, acquire } = openCounted();
  const [first, second] = [await acquire(), await acquire()];
  first.release();
  first.release();
  second.release();
  (await acquire()).release();

  assert.deepEqual(events, ['open 1', 'close 1', 'open 2', 'close 2']);
});
