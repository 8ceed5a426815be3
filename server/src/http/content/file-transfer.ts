/** File uploads and downloads of the API, both streamed. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { parseByteRange } from '../../domain/range.ts';
import type { IncomingBody, FileReply, StreamedText } from '../../handlers/handler.ts';
import { contentDisposition } from './content-disposition.ts';
import type { HttpReply } from './send.ts';

/** How long one upload may take. The housekeeping job spares unfinished uploads for longer than this. */
const uploadTimeoutMs = 3_600_000;
/** How long the rest of a refused body is still read, so that the sender gets to read the response. */
const discardTimeoutMs = 10_000;

const uploading = new WeakSet<ServerResponse>();

/** Returns whether an accepted upload is running; the time limit of small requests then does not apply. */
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
    // If the reader stops early, the request stays open, so that the sender can be told why.
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    clearTimeout(limit);
    uploading.delete(response);
  }
}

/** Discards the rest of a body once the response is known. If it does not end in time, the connection is cut. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  const linger = setTimeout(() => socket.destroy(), discardTimeoutMs).unref();
  request.once('close', () => clearTimeout(linger));
  request.resume();
}

/** Text that is generated in parts. If that fails, the connection is cut. */
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

/** If a browser shows the file instead of saving it, the file runs in a sandbox. */
const sandboxPolicy = "default-src 'none'; sandbox";

/** The file, or the requested range of it. */
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
