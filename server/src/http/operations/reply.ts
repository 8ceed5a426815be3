/** Turns an outcome into a reply: the fault gives the HTTP code, the row the `status` number in the body. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { toErrorBody, faults, isFault, retryAfterOf, type Fault } from '@drawbridge/contract/faults';
import { statusOf, type Operation } from '@drawbridge/contract/operation';
import type { FileReply, StreamedText } from '../../handlers/handler.ts';
import { toFileReply, toTextReply } from '../content/file-transfer.ts';
import type { KeptAnswer } from './kept-answers.ts';
import { toLegacyBody, type LegacyForm } from './legacy.ts';
import { joinRendered, type RenderedFields } from './rendered.ts';
import type { HttpReply } from '../content/send.ts';

/** The reply of an operation: JSON or a file. */
export function toHttpReply(
  row: Operation,
  result: object | Fault,
  legacy: LegacyForm | undefined,
  requestHeaders: IncomingHttpHeaders,
): HttpReply | Promise<HttpReply> {
  if (row.media && !isFault(result)) return toTextReply(result as StreamedText, row.media);
  if (row.answers === 'bytes' && !isFault(result)) return toFileReply(result as FileReply, requestHeaders);
  if ('kept' in result) return toKeptReply(result.kept as KeptAnswer);
  const { http, body: modern } = replyOf(row, result);
  const body = legacy && !row.silent ? toLegacyBody({ row, result, body: modern }, legacy) : modern;
  const headers = retryAfterHeaders(result);
  return { http, body, json: !row.silent, headers, ...(row.etag && http === 200 && { etag: etagOf(body) }) };
}

/** The ETag of an answer that is not kept: the older form is made for each request. */
const etagOf = (body: string | Buffer): string => `W/"${hash('sha256', body, 'base64url')}"`;

const toKeptReply = ({ body, etag }: KeptAnswer): HttpReply => ({
  http: 200,
  body,
  json: true,
  constant: true,
  etag,
  headers: {},
});

function retryAfterHeaders(result: object | Fault): Record<string, string> {
  const seconds = isFault(result) ? retryAfterOf(result) : undefined;
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

/** The reply to a request that failed before its operation or page was known. */
export const toFaultReply = (failure: Fault): HttpReply => ({
  http: faults[failure.fault].http,
  body: JSON.stringify({ error: toErrorBody(failure) }),
  json: true,
  headers: retryAfterHeaders(failure),
});

interface Reply {
  http: number;
  body: string | Buffer;
}

function replyOf(row: Operation, result: object | Fault): Reply {
  const http = isFault(result) ? faults[result.fault].http : 200;
  if (row.silent) return { http, body: '' };
  if (!isFault(result) && 'rendered' in result)
    return { http, body: joinRendered(row, result.rendered as RenderedFields) };
  const status = statusOf(row, isFault(result) ? result.fault : 'ok');
  const fields = isFault(result) ? { error: toErrorBody(result) } : result;
  return { http, body: JSON.stringify(status === undefined ? fields : { status, ...fields }) };
}
