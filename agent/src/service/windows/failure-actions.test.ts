/** The records with which Windows is told to restart the service, and with which it says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFailureActions, encodeRestarts, restartsAfter } from './failure-actions.ts';

const address = 0x7fff_1234_0000n;
const delays = [2, 10, 60];

/** What Windows writes: the record, and behind it the actions. */
const written = (seconds: readonly number[], at = address + 40n): Buffer =>
  Buffer.concat([encodeFailureActions(seconds.length, at), encodeRestarts(seconds)]);

test('the record has the layout of Windows', () => {
  const bytes = encodeFailureActions(3, address);

  assert.deepEqual(
    [bytes.readUInt32LE(0), bytes.readBigUInt64LE(8), bytes.readUInt32LE(24), bytes.readBigUInt64LE(32)],
    [86_400, 0n, 3, address],
  );
  assert.deepEqual(
    [...new Uint32Array(Uint8Array.from(encodeRestarts(delays)).buffer)],
    [1, 2_000, 1, 10_000, 1, 60_000],
  );
});

test('the same delays are recognised', () => assert.ok(restartsAfter(written(delays), address, delays)));

test('other delays, other actions and a record that points elsewhere are not', () => {
  const noAction = written(delays);
  noAction.writeUInt32LE(0, 40);
  const otherPeriod = written(delays);
  otherPeriod.writeUInt32LE(0, 0);
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(40),
    written([2, 10, 61]),
    written([2, 10]),
    written(delays, 0n),
    written(delays, address),
    written(delays, address + 48n),
    written(delays, 2n ** 64n - 1n),
    noAction,
    otherPeriod,
  ])
    assert.equal(restartsAfter(bytes, address, delays), false);
});
