/** Scheduled work: removes recordings that are older than the retention period. */
import type { BlobStore, Store } from '../store/store.ts';

const day = 86_400;
/** A recording without data after this time was never made. */
const emptyAfter = 7 * day;

/**
 * `days` is how long recordings are kept after the session; 0 keeps them forever. Once the signal says to stop, what is
 * left in the blob store is for the sweep.
 */
export async function removeOldRecordings(
  store: Pick<Store, 'change' | 'now'>,
  blobs: Pick<BlobStore, 'remove'>,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const now = store.now();
  const times = { endedBefore: days === 0 ? 0 : now - days * day, emptySince: now - emptyAfter };
  for (;;) {
    if (signal?.aborted) return;
    const { left, more } = await store.change('recordings/sweep', times);
    for (const { accountId, blobKey } of left) if (!signal?.aborted) await blobs.remove(accountId, blobKey);
    if (!more) return;
  }
}
