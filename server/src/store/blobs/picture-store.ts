/** The pictures of brands in a blob store, read and written whole. */
import type { BlobStore, PictureStore } from '../store.ts';

export const createPictureStore = (blobs: BlobStore): PictureStore => ({
  blobs,

  async put(accountId, bytes) {
    const stored = await blobs.put(accountId, once(bytes));
    if (typeof stored === 'string') throw new Error('A picture of this size cannot be stored.');
    return { blobKey: stored.blobKey, size: stored.size };
  },

  async read({ accountId, blobKey, size }) {
    const opened = size > 0 ? await blobs.open(accountId, blobKey, size) : undefined;
    if (!opened) return undefined;
    try {
      return Buffer.concat(await Array.fromAsync(opened.read(0, size - 1) as AsyncIterable<Buffer>));
    } catch (error) {
      if (await blobs.open(accountId, blobKey, size)) throw error;
      return undefined; // Replaced while it was read.
    } finally {
      await opened.close();
    }
  },
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
