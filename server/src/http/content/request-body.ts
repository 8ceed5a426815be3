/** Reads the body of a request into memory, up to a limit. */
import type { IncomingMessage } from 'node:http';

const maxBodyBytes = 64 * 1_024;

/** Why a body could not be read. */
export type BodyProblem = 'too_large' | 'unreadable';

const methodsWithBody: ReadonlySet<string> = new Set(['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** Returns whether the request announces a body that an operation or a page would read. */
export const hasBody = ({ method = '', headers }: IncomingMessage): boolean =>
  methodsWithBody.has(method) &&
  (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0');

/** Calls back once, with the whole body or with the problem. Node discards what is left of a body that is too large. */
export function readBody(request: IncomingMessage, done: (body: Buffer | BodyProblem) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return done('too_large');
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (body: Buffer | BodyProblem): void => {
    request.off('data', onData).off('end', onEnd).off('error', onError);
    done(body);
  };
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > maxBodyBytes) return finish('too_large');
    chunks.push(chunk);
  };
  const onEnd = (): void => finish(Buffer.concat(chunks, length));
  const onError = (): void => finish('unreadable');
  request.on('data', onData).on('end', onEnd).on('error', onError);
}
