/** Routes that are not operations: a path and a function from a request to a response. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { IncomingBody } from '../handlers/handler.ts';
import type { BodyPool } from './content/body-limiter.ts';

export interface PageRequest {
  /** The named parts of the path. */
  params: Record<string, string>;
  /** What follows the question mark, as it was sent. */
  query: string;
  address: string;
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
  /** The body as a stream, if the route has `takes`. */
  incoming?: IncomingBody | undefined;
}

export interface PageResponse {
  http: number;
  type: string;
  /** A Buffer must be the same for every request. A stream needs a Content-Length header. */
  body: string | Buffer | Readable;
  headers?: Record<string, string>;
  /** Set if the response stays open: it is then logged when it begins. */
  longLived?: boolean;
  /** Which slots a long body uses; those of pages when absent. */
  pool?: BodyPool;
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path with named parts, such as `/p/:path`. */
  path: string;
  /** Set if the body may be large: the route then reads it as a stream, after it has checked the sender. */
  takes?: 'bytes';
  handle(request: PageRequest): Promise<PageResponse>;
}

/** How much is read ahead and written at once: one TLS record. A client that stops reading costs a few of these. */
export const writeChunkBytes = 16 * 1_024;

/** An error in the format of the API, for routes that are not operations. */
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
