/** From an outcome to the bytes of a reply: the HTTP code is the fault's, the number in the body the row's. */
import type { IncomingHttpHeaders } from 'node:http';
import { toErrorBody, faults, isFault, retryAfterOf, type Fault } from '@drawbridge/contract/faults';
import { statusOf, type Operation } from '@drawbridge/contract/operation';
import type { FileReply, StreamedText } from '../../handlers/handler.ts';
import { toFileReply, toTextReply } from '../content/file-transfer.ts';
import { legacyAnswer } from './legacy.ts';
import type { HttpReply } from '../content/send.ts';

/** What leaves as the answer to an operation: JSON, or a file. */
export async function toHttpReply(
  { id, row }: { id: string; row: Operation },
  result: object | Fault,
  legacy: boolean,
  requestHeaders: IncomingHttpHeaders,
): Promise<HttpReply> {
  if (row.media && !isFault(result)) return toTextReply(result as StreamedText, row.media);
  if (row.answers === 'bytes' && !isFault(result)) return toFileReply(result as FileReply, requestHeaders);
  const { http, body } = replyOf(row, result);
  return {
    http,
    body: legacy ? legacyAnswer(id, result, body) : body,
    json: !row.silent,
    tagged: id === 'agents/list' && http === 200,
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
    return { http, body: join(row, result.rendered as RenderedFields) };
  const status = statusOf(row, isFault(result) ? result.fault : 'ok');
  const fields = isFault(result) ? { error: toErrorBody(result) } : result;
  return { http, body: JSON.stringify(status === undefined ? fields : { status, ...fields }) };
}

/** Puts fields that are JSON text already into one body. */
function join(row: Operation, rendered: RenderedFields): string | Buffer {
  const status = statusOf(row, 'ok');
  const pieces: (string | Buffer)[] = [status === undefined ? '{' : `{"status":${status},`];
  for (const [index, [name, value]] of Object.entries(rendered).entries())
    pieces.push(`${index > 0 ? ',' : ''}"${name}":`, ...(typeof value === 'string' ? [value] : value));
  pieces.push('}');
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}
