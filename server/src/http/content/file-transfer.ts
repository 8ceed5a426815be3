/** Files through the API: a body that is taken as it comes, and a reply that leaves as it is read. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { parseByteRange } from '../../domain/range.ts';
import type { IncomingBody, FileReply, StreamedText } from '../../handlers/handler.ts';
import { contentDisposition } from './content-disposition.ts';
import type { HttpReply } from './send.ts';

/** The most that one file may take to arrive. The housekeeping leaves uploads alone for longer than this. */
const uploadTimeoutMs = 3_600_000;
/** How long bytes that nobody wants are still taken, so that their sender comes to read why. */
const discardTimeoutMs = 10_000;

const uploading = new WeakSet<ServerResponse>();

/** Whether a file is on its way in, from somebody who may send it: then the time limit of small requests is not meant. */
export const isUploading = (response: ServerResponse): boolean => uploading.has(response);

export function toIncomingBody(request: IncomingMessage, response: ServerResponse): IncomingBody {
  const declared = request.headers['content-length'];
  return {
    bytes: uploadFrom(request, response),
    length: declared === undefined ? undefined : Number(declared),
  };
}

async function* uploadFrom(request: IncomingMessage, response: ServerResponse): AsyncGenerator<Buffer> {
  uploading.add(response);
  const limit = setTimeout(() => request.destroy(), uploadTimeoutMs).unref();
  try {
    // Left early, it is not destroyed: whoever sends it is still to be told why.
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    clearTimeout(limit);
    uploading.delete(response);
  }
}

/** Lets go of what is left of a body once the answer is known; without an end to it, of the connection. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  const linger = setTimeout(() => socket.destroy(), discardTimeoutMs).unref();
  request.once('close', () => clearTimeout(linger));
  request.resume();
}

/** Text as it is written, in parts; cut off where it breaks off. */
export const toTextReply = ({ written }: StreamedText, media: string): HttpReply => ({
  http: 200,
  body: Readable.from(written.parts, { objectMode: false }),
  json: false,
  headers: {
    'Content-Type': `${media}; charset=utf-8`,
    'Content-Disposition': contentDisposition(written.name),
    'Content-Security-Policy': sandboxPolicy,
  },
});

/** Should a browser show it after all, it is alone in there. */
const sandboxPolicy = "default-src 'none'; sandbox";

/** The file, or the part of it that is asked for. */
export async function toFileReply(
  { file }: FileReply,
  requestHeaders: IncomingHttpHeaders,
): Promise<HttpReply> {
  const { size, digest, name } = file;
  const tag = `"${digest}"`;
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': contentDisposition(name),
    'Content-Security-Policy': sandboxPolicy,
    'Accept-Ranges': 'bytes',
    ETag: tag,
  };
  const part =
    (requestHeaders['if-range'] ?? tag) === tag ? parseByteRange(requestHeaders.range, size) : undefined;
  if (part === 'beyond') {
    await file.close();
    return { http: 416, body: '', json: false, headers: { ...headers, 'Content-Range': `bytes */${size}` } };
  }
  const { start, end } = part ?? { start: 0, end: size - 1 };
  const length = { 'Content-Length': String(end - start + 1) };
  const range = part && { 'Content-Range': `bytes ${start}-${end}/${size}` };
  const body = file.read(start, end);
  return { http: part ? 206 : 200, body, json: false, headers: { ...headers, ...length, ...range } };
}
