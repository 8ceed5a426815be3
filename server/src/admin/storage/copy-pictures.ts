/** Copies the pictures of brands from the database into the object storage, or back. Each copy is whole or absent. */
import { storePicture } from '../../jobs/move-pictures.ts';
import type { PictureStore, Store } from '../../store/store.ts';
import type { OnFile } from './copy-agent-files.ts';

/** The database keeps them for servers that run without the setting. A server with it removes them from there. */
export async function copyPicturesToStorage(
  store: Store,
  pictures: PictureStore,
  onFile: OnFile,
): Promise<void> {
  for (const accountId of await store.brands.inDatabase()) {
    const picture = await store.brands.logoOf(accountId);
    const stored = picture && (await storePicture(pictures, picture));
    if (!stored) continue;
    if (stored.blobKey === picture.blobKey) {
      onFile(undefined);
      continue;
    }
    const logo = Buffer.from(picture.bytes).toString('base64');
    const { digest, blobKey: before } = picture;
    await store.change('brands/place-logo', { accountId, digest, before, logo, ...stored });
    onFile(stored.size);
  }
}

/** Those that the object storage has lost are skipped. */
export async function copyPicturesToDatabase(
  store: Store,
  pictures: PictureStore,
  onFile: OnFile,
): Promise<void> {
  for (const accountId of await store.brands.onlyStored()) {
    const picture = await store.brands.logoOf(accountId);
    const bytes = picture && (await pictures.read(picture));
    if (!bytes) continue;
    const logo = Buffer.from(bytes).toString('base64');
    const { digest, blobKey, size } = picture;
    await store.change('brands/place-logo', { accountId, digest, before: blobKey, logo, blobKey, size });
    onFile(size);
  }
}
