/** Turns an outcome into a reply: the fault gives the HTTP code, the row the `status` number in the body. */
import type { IncomingHttpHeaders } from 'node:http';
import { toErrorBody, faults, isFault, retryAfterOf, type Fault } from '@drawbridge/contract/faults';
import { statusOf, type Operation } from '@drawbridge/contract/operation';
import type { FileReply, StreamedText } from '../../handlers/handler.ts';
import { toFileReply, toTextReply } from '../content/file-transfer.ts';
import { toLegacyBody, type LegacyForm } from './legacy.ts';
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
  const { http, body } = replyOf(row, result);
  return {
    http,
    body: legacy && !row.silent ? toLegacyBody({ row, result, body }, legacy) : body,
    json: !row.silent,
    tagged: row.etag === true && http === 200,
    headers: retryAfterHeaders(result),
  };
}

function retryAfterHeaders(result: object | Fault): Record<string, string> {
  const seconds = isFault(result) ? retryAfterOf(result) : undefined;
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

interface Reply {
  http: number;
  body: string | Buffer;
}

type RenderedFields = Record<string, string | readonly Buffer[]>;

function replyOf(row: Operation, result: object | Fault): Reply {
  const http = isFault(result) ? faults[result.fault].http : 200;
  if (row.silent) return { http, body: '' };
  if (!isFault(result) && 'rendered' in result)
    return { http, body: joinRendered(row, result.rendered as RenderedFields) };
  const status = statusOf(row, isFault(result) ? result.fault : 'ok');
  const fields = isFault(result) ? { error: toErrorBody(result) } : result;
  return { http, body: JSON.stringify(status === undefined ? fields : { status, ...fields }) };
}

/** Joins fields that are already JSON text into one body. */
function joinRendered(row: Operation, rendered: RenderedFields): string | Buffer {
  const status = statusOf(row, 'ok');
  const chunks: Buffer[] = [];
  let text = status === undefined ? '{' : `{"status":${status},`;
  let separator = '';
  for (const [name, value] of Object.entries(rendered)) {
    text += `${separator}"${name}":`;
    separator = ',';
    if (typeof value === 'string') text += value;
    else {
      chunks.push(Buffer.from(text), ...value);
      text = '';
    }
  }
  text += '}';
  return chunks.length === 0 ? text : Buffer.concat([...chunks, Buffer.from(text)]);
}
