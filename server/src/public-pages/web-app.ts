/** Serves the web apps (console, join page, panel, player) and their files from dist/web. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorResponse, type PageRequest, type PageResponse, type Route } from '../http/route.ts';
import { openStaticFolder, revalidated, unknownFile } from './static-files.ts';

/** The folder is beside the bundle, or in dist/ when the server runs from source. */
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
  /** Returns a page; it is the same whatever its URL is. */
  page(
    name: 'console.html' | 'join.html' | 'panel.html' | 'player.html',
    policy: string,
  ): Promise<PageResponse>;
}

export function openWebApp(folder = ownFolder()): WebApp {
  const files = openStaticFolder(folder);

  /** HTML files are not served here, because they need their content security policy. */
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

/** Isolates the page from windows of other origins, sends no referrer, and turns off browser features it does not use. */
const isolationHeaders = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), payment=(), usb=()',
};

/** The content security policy of the web apps; `relays` are the origins of the relays, if the page connects to them. */
export const webAppCsp = (relays?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${relays === undefined ? '' : ` ${relays}`}`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    'media-src blob:',
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
