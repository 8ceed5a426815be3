/** What the service manager of Windows does when the service crashes: the records that set it and that read it back. */

/** Seconds before each restart; the last one repeats. The count starts again after a day without failures. */
export const restartDelays: readonly number[] = [2, 10, 60];
const resetSeconds = 24 * 60 * 60;
const restart = 1;
/** SERVICE_FAILURE_ACTIONSW: reset period, message, command, count and address of the actions. */
const record = { bytes: 40, reset: 0, count: 24, actions: 32 } as const;
const actionBytes = 8;

/** The actions, to which the record points. */
export function encodeRestarts(delays: readonly number[]): Buffer {
  const actions = Buffer.alloc(actionBytes * delays.length);
  delays.forEach((seconds, index) => {
    actions.writeUInt32LE(restart, actionBytes * index);
    actions.writeUInt32LE(1_000 * seconds, actionBytes * index + 4);
  });
  return actions;
}

export function encodeFailureActions(count: number, actionsAddress: bigint): Buffer {
  const bytes = Buffer.alloc(record.bytes);
  bytes.writeUInt32LE(resetSeconds, record.reset);
  bytes.writeUInt32LE(count, record.count);
  bytes.writeBigUInt64LE(actionsAddress, record.actions);
  return bytes;
}

/**
 * Whether a record that Windows has written restarts the service after each of these delays. The record contains its
 * actions; `address` is where it lies in memory.
 */
export function restartsAfter(bytes: Buffer, address: bigint, delays: readonly number[]): boolean {
  if (bytes.length < record.bytes || bytes.readUInt32LE(record.reset) !== resetSeconds) return false;
  if (bytes.readUInt32LE(record.count) !== delays.length) return false;
  const from = bytes.readBigUInt64LE(record.actions) - address;
  const expected = encodeRestarts(delays);
  if (from < record.bytes || from + BigInt(expected.length) > bytes.length) return false;
  return bytes.subarray(Number(from), Number(from) + expected.length).equals(expected);
}
