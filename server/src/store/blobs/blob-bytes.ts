/** What the stores of blobs have in common: the form of keys, how bytes are received, and batches of names. */
import { createHash } from 'node:crypto';
import type { BlobStore } from '../store.ts';

/** A blob store whose contents can be copied into another one. */
export interface CopyableBlobStore extends BlobStore {
  /** All blob keys, in batches, however new they are. */
  keys(accountId: number): AsyncIterable<string[]>;
  /** The size of a blob; undefined if it is missing. */
  sizeOf(accountId: number, blobKey: string): Promise<number | undefined>;
  /** Stores the bytes of a blob of another store under the same key, all of them or none. */
  putCopy(accountId: number, blobKey: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Only names of this form are accepted or removed, so no name from outside reaches the storage. */
export const blobKeyPattern = /^[0-9a-f]{64}-[0-9a-f]{16}$/;

/** For copies between stores, whose keys come from the other store. */
export function requireKey(blobKey: string): void {
  if (!blobKeyPattern.test(blobKey)) throw new Error(`${blobKey} is not the key of a blob.`);
}

/** A copy must have all the bytes of its original. */
export function requireWhole(stored: object | string): void {
  if (typeof stored === 'string') throw new Error('A blob could not be read to its end.');
}

/** Longer than an upload may take, including the time until its row is stored. */
const settledAfterMs = 2 * 3_600_000;

/**
 * What was changed before this time, in milliseconds, is settled. `now` is the time of the store in seconds: the clock of a
 * node may be hours ahead.
 */
export const settledBefore = (now: number): number => now * 1_000 - settledAfterMs;

/** The number of names in each batch. */
const batchSize = 500;

export interface ReceivedBytes {
  size: number;
  digest: string;
}

/** Hands each piece to `append` and counts; `broken` when the bytes stop before their end. */
export async function receiveBytes(
  bytes: AsyncIterable<Uint8Array>,
  largest: number,
  append: (piece: Uint8Array) => Promise<void>,
): Promise<ReceivedBytes | 'too_large' | 'broken'> {
  const hash = createHash('sha256');
  const pieces = bytes[Symbol.asyncIterator]();
  let size = 0;
  try {
    for (;;) {
      const piece = await pieces.next().catch(() => 'broken' as const);
      if (piece === 'broken') return piece;
      if (piece.done) break;
      size += piece.value.byteLength;
      if (size > largest) return 'too_large';
      hash.update(piece.value);
      await append(piece.value);
    }
  } finally {
    await pieces.return?.(); // so that the rest of the upload can be discarded
  }
  return { size, digest: hash.digest('hex') };
}

export async function* batchesOf(names: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const name of names) {
    batch.push(name);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
