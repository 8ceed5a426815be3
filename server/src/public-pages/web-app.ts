/** The pages that run in a browser, and the files they are made of, as they were built into dist/web. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorResponse, type PageRequest, type PageResponse, type Route } from '../http/route.ts';
import { openFolder, revalidated, unknownFile } from './static-files.ts';

/** Beside the bundle, or in dist/ where the sources run. */
const ownFolder = (): string => {
  const beside = join(import.meta.dirname, '../web');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../dist/web');
};

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

export function openWebApp(folder = ownFolder()): WebApp {
  const files = openFolder(folder);

  /** The HTML files are pages: they are sent only with their policy. */
  async function file({ params, headers }: PageRequest): Promise<PageResponse> {
    const { name = '' } = params;
    const found = name.endsWith('.html') ? undefined : await files(name);
    return found ? revalidated(found, headers) : unknownFile;
  }

  return {
    routes: [{ method: 'GET', path: '/app/:name', handle: file }],
    async page(name, policy) {
      const found = await files(name);
      if (!found) return notBuilt;
      return {
        http: 200,
        type: found.type,
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
