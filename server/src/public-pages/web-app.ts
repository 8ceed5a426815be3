/** The pages that run in a browser, and the files they are made of, as they were built into dist/web. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { errorResponse, type PageResponse } from '../http/content/pages.ts';
import type { Route, PageRequest } from './route.ts';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Beside the bundle, or in dist/ where the sources run. */
const ownFolder = (): string => {
  const beside = join(import.meta.dirname, '../web');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../dist/web');
};

const unknownFile = errorResponse(404, { code: 'unknown_url', message: 'There is no file with this name.' });
const notBuilt = errorResponse(503, {
  code: 'not_built',
  message: 'The pages are not built yet. Run npm run build on the server.',
});

export interface WebApp {
  routes: Route[];
  /** A page of the app; the address it was asked for under changes nothing about it. */
  page(
    name: 'console.html' | 'join.html' | 'panel.html' | 'player.html',
    policy: string,
  ): Promise<PageResponse>;
}

interface CachedFile {
  name: string;
  mtimeMs: number;
  body: Buffer;
  /** A mark of its content. */
  tag: string;
}

export function openWebApp(folder = ownFolder()): WebApp {
  const kept = new Map<string, CachedFile>();

  /** Only what the folder lists is ever opened: a name from outside is compared, and never part of a path. */
  async function bytesOf(wanted: string | undefined): Promise<CachedFile | undefined> {
    const names = await readdir(folder).catch(() => []);
    const name = names.find((each) => each === wanted);
    if (name === undefined) return undefined;
    const path = join(folder, name);
    // It may be built anew while the server runs.
    const { mtimeMs, size } = await stat(path);
    const known = kept.get(name);
    if (known?.mtimeMs === mtimeMs && known.body.length === size) return known;
    const body = await readFile(path);
    const fresh = { name, mtimeMs, body, tag: `"${createHash('sha256').update(body).digest('base64url')}"` };
    kept.set(name, fresh);
    return fresh;
  }

  async function file({ params, headers }: PageRequest): Promise<PageResponse> {
    const found = await bytesOf(params['name']);
    const type = found && types[extname(found.name)];
    if (!found || type === undefined) return unknownFile;
    const { tag } = found;
    // Asked for anew each time: files of two versions must never meet in one page.
    const marked = { ETag: tag, 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'same-origin' };
    const isKnown = headers['if-none-match']?.replace(/^W\//, '') === tag;
    return isKnown
      ? { http: 304, type, body: '', headers: marked }
      : { http: 200, type, body: found.body, headers: marked };
  }

  return {
    routes: [{ method: 'GET', path: '/app/:name', handle: file }],
    async page(name, policy) {
      const found = await bytesOf(name);
      if (!found) return notBuilt;
      return {
        http: 200,
        type: 'text/html; charset=utf-8',
        body: found.body.toString(),
        headers: { 'Content-Security-Policy': policy, ...isolationHeaders },
      };
    },
  };
}

/** The page is alone in its window, tells nobody where it is, and asks for nothing it does not need. */
const isolationHeaders = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), payment=(), usb=()',
};

/** What these pages may load and do; `relay` is where they connect to beside their own server. */
export const webAppCsp = (relay?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${relay === undefined ? '' : ` ${relay}`}`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    'media-src blob:',
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
