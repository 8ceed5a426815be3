/** The answer to bytes that never became a request: a short refusal in JSON, then the connection ends. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isUploading } from '../content/file-transfer.ts';

interface Refusal {
  http: 400 | 408 | 413 | 431;
  code: string;
  message: string;
}

const malformed: Refusal = { http: 400, code: 'bad_request', message: 'The request is not valid HTTP.' };
const refusals: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    http: 408,
    code: 'request_timeout',
    message: 'The request took too long to arrive.',
  },
  HPE_HEADER_OVERFLOW: {
    http: 431,
    code: 'headers_too_large',
    message: 'The headers of the request are too large.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    http: 413,
    code: 'body_too_large',
    message: 'The chunk extensions are too large.',
  },
};
/** Long enough for the answer to arrive, though the client goes on talking. */
const closeTimeoutMs = 1_000;

/** Says it in place of the running response if that has not begun, else only hangs up: two answers must never mix. */
export function answerClientError(error: Error, socket: Duplex, running: ServerResponse | undefined): void {
  if (socket.writableEnded) return;
  // A large file takes its time; that it stands still, or takes forever, is noticed elsewhere.
  if (running && isUploading(running) && 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return;
  const refusal = toRefusal(error);
  const mayAnswer = socket.writable && !running?.headersSent && !running?.req.complete;
  if (!refusal || !mayAnswer) return void socket.destroy();
  socket.end(toBytes(refusal));
  // Destroyed at once, unread bytes would turn the end into a reset, which takes the answer away from the client.
  const linger = setTimeout(() => socket.destroy(), closeTimeoutMs).unref();
  socket.once('close', () => clearTimeout(linger));
}

/** Undefined for broken connections and failed handshakes, where nobody could read an answer. */
function toRefusal(error: Error): Refusal | undefined {
  const code = 'code' in error ? String(error.code) : '';
  return refusals[code] ?? (code.startsWith('HPE_') ? malformed : undefined);
}

function toBytes({ http, code, message }: Refusal): string {
  const body = JSON.stringify({ error: { code, message } });
  const lines = [`HTTP/1.1 ${http} ${STATUS_CODES[http]}`, 'Content-Type: application/json; charset=utf-8'];
  return [...lines, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n');
}
