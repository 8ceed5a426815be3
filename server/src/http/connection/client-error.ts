/** Answers bytes that are not a valid request: a short refusal in JSON, then the connection ends. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isUploading } from '../content/file-transfer.ts';
import type { HttpUnanswered } from '../content/http-unanswered.ts';

const malformed: HttpUnanswered = {
  http: 400,
  code: 'bad_request',
  message: 'The request is not valid HTTP.',
};
const refusals: Record<string, HttpUnanswered> = {
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
/** Long enough for the response to arrive while the client still sends. */
const closeTimeoutMs = 1_000;

/** Sends the refusal instead of the running response if that has not begun. Otherwise closes the connection, because two responses must never mix. */
export function answerClientError(error: Error, socket: Duplex, running: ServerResponse | undefined): void {
  if (socket.writableEnded) return;
  // A large file may take longer than other requests; uploads have their own timeouts (content/file-transfer.ts).
  if (running && isUploading(running) && 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return;
  const refusal = toRefusal(error);
  const mayAnswer = socket.writable && !running?.headersSent && !running?.req.complete;
  if (!refusal || !mayAnswer) return void socket.destroy();
  socket.end(toBytes(refusal));
  // If the socket were destroyed at once, unread bytes would cause a reset, and the client would lose the response.
  const linger = setTimeout(() => socket.destroy(), closeTimeoutMs).unref();
  socket.once('close', () => clearTimeout(linger));
}

/** Returns undefined for broken connections and failed handshakes, where the client could not read a response. */
function toRefusal(error: Error): HttpUnanswered | undefined {
  const code = 'code' in error ? String(error.code) : '';
  return refusals[code] ?? (code.startsWith('HPE_') ? malformed : undefined);
}

function toBytes({ http, code, message }: HttpUnanswered): string {
  const body = JSON.stringify({ error: { code, message } });
  const lines = [`HTTP/1.1 ${http} ${STATUS_CODES[http]}`, 'Content-Type: application/json; charset=utf-8'];
  return [...lines, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n');
}
