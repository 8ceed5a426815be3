/** Scheduled work: removes blobs that no row refers to. */
import type { Reads, BlobStore } from '../store/store.ts';

/**
 * Resolves to the number of removed files: those of removed devices, and those of uploads that a crash interrupted. Stops
 * between two removals when the signal says so.
 */
export const sweepFiles = (
  store: Pick<Reads, 'files'>,
  blobs: BlobStore,
  signal?: AbortSignal,
): Promise<number> => sweep(blobs, store.files.referencedKeys, signal);

/** Does the same for recordings. */
export const sweepRecordings = (
  store: Pick<Reads, 'recordings'>,
  blobs: BlobStore,
  signal?: AbortSignal,
): Promise<number> => sweep(blobs, store.recordings.referencedKeys, signal);

/** Does the same for the pictures of brands. */
export const sweepPictures = (
  store: Pick<Reads, 'brands'>,
  blobs: BlobStore,
  signal?: AbortSignal,
): Promise<number> => sweep(blobs, store.brands.referencedKeys, signal);

async function sweep(
  blobs: BlobStore,
  referencedKeys: Reads['files']['referencedKeys'],
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  for (const accountId of await blobs.accounts(signal))
    for await (const blobKeys of blobs.settled(accountId)) {
      if (signal?.aborted) return removed;
      const kept = new Set(await referencedKeys(accountId, blobKeys));
      for (const blobKey of blobKeys.filter((key) => !kept.has(key))) {
        if (signal?.aborted) return removed;
        await blobs.remove(accountId, blobKey);
        removed += 1;
      }
    }
  // Last, because the key of an object storage may not be allowed to list uploads.
  return removed + ((await blobs.endUploads?.(signal)) ?? 0);
}
