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
    return opened && Buffer.concat(await Array.fromAsync(opened.read(0, size - 1) as AsyncIterable<Buffer>));
  },
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
