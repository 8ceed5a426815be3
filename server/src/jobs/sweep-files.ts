/** Timed work: takes bytes out of the blob stores that nothing refers to any more. */
import type { Reads, BlobStore } from '../store/store.ts';

/** Answers how many there were: of devices that were removed, and of uploads that a crash cut off. */
export const sweepFiles = (store: Pick<Reads, 'files'>, blobs: BlobStore): Promise<number> =>
  sweep(blobs, store.files.referencedKeys);

/** The same for recordings. */
export const sweepRecordings = (store: Pick<Reads, 'recordings'>, blobs: BlobStore): Promise<number> =>
  sweep(blobs, store.recordings.referencedKeys);

async function sweep(blobs: BlobStore, referencedKeys: Reads['files']['referencedKeys']): Promise<number> {
  let removed = 0;
  for (const accountId of await blobs.accounts())
    for await (const blobKeys of blobs.settled(accountId)) {
      const kept = new Set(await referencedKeys(accountId, blobKeys));
      for (const blobKey of blobKeys.filter((each) => !kept.has(each))) {
        await blobs.remove(accountId, blobKey);
        removed += 1;
      }
    }
  return removed;
}
