/** Serves the logos of brands to everybody, by their digests. */
import { brandPath } from '@drawbridge/contract/brand';
import { errorResponse, type Route } from '../http/route.ts';
import type { Reads } from '../store/store.ts';

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

export const brandRoutes = ({ brands }: Pick<Reads, 'brands'>): Route[] => [
  {
    method: 'GET',
    path: `${brandPath}:digest`,
    async handle({ params: { digest = '' } }) {
      const found = /^[0-9a-f]{64}$/.test(digest) ? await brands.logo(digest) : undefined;
      if (!found) return unknownPicture;
      // A new Buffer for each request, so that its compressed forms are not kept in memory for long.
      return { http: 200, type: found.type, body: Buffer.from(found.bytes), headers };
    },
  },
];
