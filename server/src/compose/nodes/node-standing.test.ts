/** When a server counts as cut off from a database that others reach, and how often its failures are logged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryBus } from '../../bus/memory.ts';
import { createStanding } from './node-standing.ts';

function openNodes() {
  const bus = createMemoryBus();
  let seconds = 0;
  const options = { leaseSeconds: 30, monotonic: () => seconds };
  const [one, other] = [createStanding(bus, 'one', options), createStanding(bus, 'other', options)];
  return { one, other, advance: (by: number) => void (seconds += by) };
}

test('a server is cut off once it has failed for a lease while another one stores, until it stores again', async () => {
  const { one, advance } = openNodes();
  const isCutOff = () => one.isCutOff(['other']);
  one.onFailed();
  advance(29);
  one.onFailed();
  const early = await isCutOff();
  advance(1);

  assert.deepEqual([early, await isCutOff()], [false, true]);
  one.onStored();
  assert.equal(await isCutOff(), false);
});

test('a server is not cut off if no other stores either, or none answers', async () => {
  const { one, other, advance } = openNodes();
  one.onFailed();
  other.onFailed();
  advance(100);

  assert.equal(await one.isCutOff(['other', 'missing']), false);
  assert.equal(await one.isCutOff([]), false);
});
