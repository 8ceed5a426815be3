/** Serves the built pages as the server does: the same headers, the same addresses. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { playerPaths } from '@drawbridge/contract/session/player';
import { webAppCsp } from '@drawbridge/server/public-pages/web-app';
import { buildWeb, webFolder } from '../../../scripts/build-web.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const pages = { '/c': 'console.html', [playerPaths.page]: 'player.html' };

export const buildPages = buildWeb;

/** `framedBy` is the site that may show the pages in a frame; none may by default. */
export function servePageFile(path: string, response: ServerResponse, framedBy = "'none'"): void {
  const page = Object.entries(pages).find(([start]) => path.startsWith(`${start}/`))?.[1];
  const name = page ?? path.replace(/^\/app\/([\w.-]+).*$/, '$1');
  try {
    const body = readFileSync(join(webFolder, name));
    response.writeHead(200, {
      'Content-Type': types[extname(name)]!,
      'Content-Security-Policy': webAppCsp('wss:').replace(
        "frame-ancestors 'none'",
        `frame-ancestors ${framedBy}`,
      ),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}
