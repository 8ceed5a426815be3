/** Serves static files from a folder: reads them when they are first requested and caches them in memory. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { errorResponse, type PageRequest, type PageResponse, type Route } from '../http/route.ts';

const mimeTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

export interface StaticFile {
  type: string;
  body: Buffer;
  /** SHA-256 of the body, base64url. */
  digest: string;
}

/** Finds a file by its name; returns undefined if the folder does not have it. */
export type StaticFolder = (name: string | undefined) => Promise<StaticFile | undefined>;

/** Opens only names that the folder lists: a name from a request is only compared and never becomes part of a path. */
export function openStaticFolder(folder: string): StaticFolder {
  const cache = new Map<string, StaticFile & { mtimeMs: number }>();
  return async (wanted) => {
    const names = await readdir(folder).catch(() => []);
    const name = names.find((each) => each === wanted);
    const type = name && mimeTypes[extname(name)];
    if (!type) return undefined;
    const path = join(folder, name);
    // A build may replace the file while the server runs.
    const { mtimeMs, size } = await stat(path);
    const known = cache.get(name);
    if (known?.mtimeMs === mtimeMs && known.body.length === size) return known;
    const body = await readFile(path);
    const file = { type, mtimeMs, body, digest: createHash('sha256').update(body).digest('base64url') };
    cache.set(name, file);
    return file;
  };
}

export const unknownFile = errorResponse(404, {
  code: 'unknown_url',
  message: 'There is no file with this name.',
});

/** Browsers must revalidate these files each time, because one page must never mix files of two versions. */
export function revalidated(
  { type, body, digest }: StaticFile,
  requested: PageRequest['headers'],
): PageResponse {
  const tag = `"${digest}"`;
  const headers = { ETag: tag, 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'same-origin' };
  const isCached = requested['if-none-match']?.replace(/^W\//, '') === tag;
  return isCached ? { http: 304, type, body: '', headers } : { http: 200, type, body, headers };
}

/** A file whose URL carries its digest, so that browsers may cache it. */
export interface VersionedFile {
  route: Route;
  url(): Promise<string>;
}

/** Only a day: if two versions run side by side during an update, a page that mixes both must not stay cached for long. */
const cacheForADay = { 'Cache-Control': 'public, max-age=86400' };

export function versionedFile(path: string, folder: StaticFolder, name: string): VersionedFile {
  const load = async (): Promise<StaticFile> => {
    const file = await folder(name);
    if (!file) throw new Error(`The file ${name} of the server is missing.`);
    return file;
  };
  return {
    route: {
      method: 'GET',
      path,
      async handle() {
        const { type, body } = await load();
        return { http: 200, type, body, headers: cacheForADay };
      },
    },
    url: async () => `${path}?v=${(await load()).digest.slice(0, 12)}`,
  };
}
