/** Scheduled work: moves the pictures of brands from the database into the object storage. */
import type { StoredPicture } from '../store/people/account-records.ts';
import type { PictureStore, Store } from '../store/store.ts';

/** Does nothing while a server may run that finds pictures only in the database. */
export async function movePictures(
  store: Store,
  pictures: PictureStore,
  signal?: AbortSignal,
): Promise<void> {
  if (!(await store.brands.mayLeaveDatabase())) return;
  for (const accountId of await store.brands.inDatabase()) {
    if (signal?.aborted) return;
    const picture = await store.brands.logoOf(accountId);
    const stored = picture && (await storePicture(pictures, picture));
    if (!stored) continue;
    const { digest, blobKey: before } = picture;
    await store.change('brands/place-logo', { accountId, digest, before, logo: '', ...stored });
  }
}

/**
 * Returns where the bytes of a picture of the database are stored, after storing them if necessary. Undefined if it is
 * not in the database.
 */
export async function storePicture(
  pictures: PictureStore,
  picture: StoredPicture,
): Promise<{ blobKey: string; size: number } | undefined> {
  const { accountId, bytes, blobKey, size } = picture;
  if (bytes.length === 0) return undefined;
  const stored = blobKey === '' ? undefined : await pictures.read(picture);
  // An older server replaces pictures of the database without knowing of the stored ones.
  if (stored && Buffer.from(stored).equals(bytes)) return { blobKey, size };
  return pictures.put(accountId, bytes);
}
