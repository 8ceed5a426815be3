/** Frees the memory of large frames without waiting for the garbage collector. */

/** Smaller memory is left to the garbage collector. */
const releasedBytes = 64 * 1_024;

/**
 * Frees the memory of bytes that nobody needs any more, if it is large and holds nothing else. If much memory waits for the
 * garbage collector, that runs far more often.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= releasedBytes && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
