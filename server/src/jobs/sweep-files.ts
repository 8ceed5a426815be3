/** Scheduled work: removes blobs that no row refers to. */
import type { Reads, BlobStore } from '../store/store.ts';

/** Resolves to the number of removed files: those of removed devices, and those of uploads that a crash interrupted. */
export const sweepFiles = (store: Pick<Reads, 'files'>, blobs: BlobStore): Promise<number> =>
  sweep(blobs, store.files.referencedKeys);

/** Does the same for recordings. */
export const sweepRecordings = (store: Pick<Reads, 'recordings'>, blobs: BlobStore): Promise<number> =>
  sweep(blobs, store.recordings.referencedKeys);

/** Does the same for the pictures of brands. */
export const sweepPictures = (store: Pick<Reads, 'brands'>, blobs: BlobStore): Promise<number> =>
  sweep(blobs, store.brands.referencedKeys);

async function sweep(blobs: BlobStore, referencedKeys: Reads['files']['referencedKeys']): Promise<number> {
  let removed = 0;
  for (const accountId of await blobs.accounts())
    for await (const blobKeys of blobs.settled(accountId)) {
      const kept = new Set(await referencedKeys(accountId, blobKeys));
      for (const blobKey of blobKeys.filter((key) => !kept.has(key))) {
        await blobs.remove(accountId, blobKey);
        removed += 1;
      }
    }
  // Last, because the key of an object storage may not be allowed to list uploads.
  return removed + ((await blobs.endUploads?.()) ?? 0);
}
