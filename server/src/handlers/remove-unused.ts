/** Removes the bytes of what a stored change has replaced or removed. */
import { isOutage } from '../store/outages.ts';
import type { BlobStore } from '../store/store.ts';

/** The change is in force even if the storage is away; the sweep then removes the bytes later. */
export async function removeUnused(
  blobs: Pick<BlobStore, 'remove'>,
  accountId: number,
  blobKey: string,
): Promise<void> {
  try {
    await blobs.remove(accountId, blobKey);
  } catch (error) {
    if (!isOutage(error)) throw error;
  }
}
