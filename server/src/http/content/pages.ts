/** Answers outside the API: health, and what all pages look like. */
import type { Readable } from 'node:stream';
import type { BodyPool } from './body-limiter.ts';
import { ownFile } from './static-files.ts';

export interface PageResponse {
  http: number;
  type: string;
  /** A Buffer is one that stays the same from request to request; a stream needs its length among the headers. */
  body: string | Buffer | Readable;
  headers?: Record<string, string>;
  /** Set where the answer stays open: then it is written down when it begins, not when it ends. */
  longLived?: boolean;
  /** Whose places a long body takes; those of pages when absent. */
  pool?: BodyPool;
}

/** Read ahead and written at once, as one record of TLS: a client that stops reading costs a few times as much. */
export const writeChunkBytes = 16 * 1_024;

const text = 'text/plain; charset=utf-8';

/** Pages run no code and load nothing but what they are told here. */
export const pageCsp =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const files = {
  style: ownFile('/static/page.css', 'page.css'),
  icon: ownFile('/static/icon.svg', 'icon.svg'),
};

/** How every page of ours begins. */
export const pageHead = async (title: string): Promise<string> => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${await files.icon.address()}">
<link rel="stylesheet" href="${await files.style.address()}">`;

/** A page for people, with what it may load and do. It tells nobody where its reader came from. */
export const htmlPage = (body: string, policy: string): PageResponse => ({
  http: 200,
  type: 'text/html; charset=utf-8',
  body,
  headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
});

/** A refusal as the API words it, where no row answers. */
export const errorResponse = (http: number, error: { code: string; message: string }): PageResponse => ({
  http,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ error }),
});

export interface Health {
  /** True while the service takes requests: false from the moment it is told to stop. */
  ready(): Promise<boolean>;
}

/** The pages by path. */
export function basicPages({ ready }: Health): Map<string, () => PageResponse | Promise<PageResponse>> {
  return new Map<string, () => PageResponse | Promise<PageResponse>>([
    ['/static/page.css', files.style.page],
    ['/static/icon.svg', files.icon.page],
    ['/healthz', () => ({ http: 200, type: text, body: 'ok\n' })],
    [
      '/readyz',
      async () =>
        (await ready())
          ? { http: 200, type: text, body: 'ready\n' }
          : { http: 503, type: text, body: 'not ready\n' },
    ],
  ]);
}
