/** What the server answers outside the operations: a path, and a function from a request to a response. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { IncomingBody } from '../handlers/handler.ts';
import type { BodyPool } from './content/body-limiter.ts';

export interface PageRequest {
  /** The named parts of the path. */
  params: Record<string, string>;
  address: string;
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
  /** The body as a stream, where the route takes it so. */
  incoming?: IncomingBody | undefined;
}

export interface PageResponse {
  http: number;
  type: string;
  /** A Buffer is the same for every request; a stream needs its length among the headers. */
  body: string | Buffer | Readable;
  headers?: Record<string, string>;
  /** Set where the response stays open: it is logged when it begins. */
  longLived?: boolean;
  /** Which slots a long body takes; those of pages when absent. */
  pool?: BodyPool;
}

export interface Route {
  method: 'GET' | 'POST';
  /** A path with named parts, such as `/p/:path`. */
  path: string;
  /** Set where the body may be large and is read only after the sender was checked. */
  takes?: 'bytes';
  handle(request: PageRequest): Promise<PageResponse>;
}

/** Bytes that are read ahead and written at once: one TLS record. A client that stops reading costs a few of these. */
export const writeChunkBytes = 16 * 1_024;

/** An error with the shape of the API, where no operation answers. */
export const errorResponse = (http: number, error: { code: string; message: string }): PageResponse => ({
  http,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ error }),
});

export const textResponse = (http: number, body: string): PageResponse => ({
  http,
  type: 'text/plain; charset=utf-8',
  body,
});

/** An HTML page with its content security policy. It sends no referrer. */
export const htmlPage = (body: string, policy: string): PageResponse => ({
  http: 200,
  type: 'text/html; charset=utf-8',
  body,
  headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
});
