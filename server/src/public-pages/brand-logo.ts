/** Finds the logos of brands by their digests, and serves them to everybody. */
import { brandPath } from '@drawbridge/contract/brand';
import { errorResponse, type Route } from '../http/route.ts';
import type { StoredPicture } from '../store/people/account-records.ts';
import type { PictureStore, Reads } from '../store/store.ts';

const unknownPicture = errorResponse(404, {
  code: 'unknown_url',
  message: 'There is no picture with this name.',
});

/** A digest always names the same picture. */
const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Disposition': 'inline',
};

/** Resolves with undefined if there is no such logo. */
export type FindLogo = (digest: string) => Promise<{ type: string; bytes: Uint8Array } | undefined>;

export const brandRoutes = (findLogo: FindLogo): Route[] => [
  {
    method: 'GET',
    path: `${brandPath}:digest`,
    async handle({ params: { digest = '' } }) {
      const found = /^[0-9a-f]{64}$/.test(digest) ? await findLogo(digest) : undefined;
      if (!found) return unknownPicture;
      // A new Buffer for each request, so that its compressed forms are not kept in memory for long.
      return { http: 200, type: found.type, body: Buffer.from(found.bytes), headers };
    },
  },
];

/** `pictures` is undefined if all of them are in the database. */
export function createLogoFinder(
  { brands }: Pick<Reads, 'brands'>,
  pictures: Pick<PictureStore, 'read'> | undefined,
): FindLogo {
  const readStored = keepLastRead(async (picture) => pictures?.read(picture));
  return async (digest) => {
    const found = await brands.logo(digest);
    const bytes = found && (found.bytes.length > 0 ? found.bytes : await readStored(found));
    return bytes && { type: found.type, bytes };
  };
}

type ReadPicture = (picture: StoredPicture) => Promise<Uint8Array | undefined>;

/** At most 4 MiB. */
const keptPictures = 32;

/** Keeps the pictures that were read last, because everybody may ask for them as often as they like. */
function keepLastRead(read: ReadPicture): ReadPicture {
  const kept = new Map<string, Uint8Array>();
  return async (picture) => {
    const bytes = kept.get(picture.blobKey) ?? (await read(picture));
    if (!bytes) return undefined;
    kept.delete(picture.blobKey);
    kept.set(picture.blobKey, bytes);
    if (kept.size > keptPictures) kept.delete(kept.keys().next().value!);
    return bytes;
  };
}
