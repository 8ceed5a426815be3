/** Writes a response: length, compression, ETag, and the headers that all responses have. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import { acquireSlot, needsSlot, writeBody, type BodyDestination } from './body-writer.ts';
import { isChunked, toWhole, type ChunkedBody } from './chunked-body.ts';
import { chooseEncoding, compress, isCompressible } from './compress.ts';

export interface HttpReply {
  http: number;
  body: string | Buffer | ChunkedBody | Readable;
  json: boolean;
  headers: Record<string, string>;
  /** True if the body is an object that is the same every time: it is then compressed only once. */
  constant?: boolean;
  /** The ETag of the response, if it has one. */
  etag?: string;
}

/** Responses may contain links and keys, so no cache between server and client may store them. */
const commonHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
} as const;

/** Sends the response and returns its HTTP code. */
export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: HttpReply,
  to: BodyDestination,
): MaybePromise<number> {
  const { http, json, body } = reply;
  const headers: Record<string, string> = {
    ...commonHeaders,
    ...(json && { 'Content-Type': 'application/json; charset=utf-8' }),
    ...reply.headers,
  };
  if (body instanceof Readable) return sendLong(response, { http, headers, body }, to);
  const mayCompress = isCompressible(body);
  if (mayCompress)
    headers['Vary'] = headers['Vary'] ? `${headers['Vary']}, Accept-Encoding` : 'Accept-Encoding';
  if (reply.etag !== undefined) {
    headers['ETag'] = reply.etag;
    headers['Cache-Control'] = 'private, no-cache';
    if (isKnown(reply.etag, request.headers['if-none-match']))
      return end(response, { http: 304, headers, body: '' }, to);
  }
  const acceptEncoding = request.headers['accept-encoding'];
  if (!mayCompress || acceptEncoding === undefined || chooseEncoding(acceptEncoding) === undefined)
    return end(response, { http, headers, body }, to);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const compressed = compress(bytes, acceptEncoding, reply.constant ? 'cached' : 'uncached');
  return compressed.then(({ body: smaller, encoding }) => {
    if (encoding) headers['Content-Encoding'] = encoding;
    return end(response, { http, headers, body: smaller }, to);
  });
}

/** Returns whether If-None-Match matches: by one of its tags, weak or not, or by a star. */
const isKnown = (tag: string, had: string | undefined): boolean =>
  had !== undefined &&
  (had.trim() === '*' || had.split(',').some((each) => `W/${each.trim().replace(/^W\//, '')}` === tag));

interface ResponseParts<Body> {
  http: number;
  headers: Record<string, string>;
  body: Body;
}

function end(
  response: ServerResponse,
  { http, headers, body: given }: ResponseParts<string | Buffer | ChunkedBody>,
  to: BodyDestination,
): MaybePromise<number> {
  const body = isChunked(given) && !needsSlot(given) ? toWhole(given) : given;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  if (http !== 204 && http !== 304) headers['Content-Length'] = String(length);
  if (needsSlot(body)) return sendLong(response, { http, headers, body }, to);
  response.writeHead(http, headers);
  // Node joins head and body if both are text. In plain ASCII both encodings are the same, and Latin-1 costs less.
  response.end(body, length === body.length ? 'latin1' : 'utf8');
  return http;
}

/** Sends a long body at the speed of the client, if a slot is free. */
async function sendLong(
  response: ServerResponse,
  { http, headers, body }: ResponseParts<string | Buffer | ChunkedBody | Readable>,
  to: BodyDestination,
): Promise<number> {
  const isHead = response.req.method === 'HEAD';
  const slot = isHead ? undefined : acquireSlot(response, to);
  if (typeof slot === 'object') {
    response.writeHead(http, headers);
    await writeBody(response, body, slot, to.pool);
    return http;
  }
  if (body instanceof Readable) body.destroy();
  if (slot !== undefined) return refuse(response, tooMany[slot]);
  response.writeHead(http, headers);
  response.end();
  return http;
}

const tooMany = {
  network: { http: 429, message: 'Your network is downloading too much at once. Try again in a moment.' },
  total: { http: 503, message: 'The server is sending too much at once. Try again in a moment.' },
} as const;

function refuse(response: ServerResponse, { http, message }: (typeof tooMany)['network' | 'total']): number {
  const body = JSON.stringify({ error: { code: 'too_many_downloads', message } });
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  response.writeHead(http, { ...commonHeaders, ...type, ...length, 'Retry-After': '5' });
  response.end(body);
  return http;
}
