/** Connections that send exactly the given bytes, and receive responses unparsed. */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { startStopwatch } from '../kit/stopwatch.ts';

export interface WireResponse {
  http: number;
  head: string;
  body: Buffer;
}

/** What came back: responses, and whether the other end disconnected after them. */
export interface WireExchange {
  answers: WireResponse[];
  /** All bytes, as they arrived. */
  received: Buffer;
  ended: boolean;
  ms: number;
}

export interface HttpConnection {
  usable: boolean;
  /** Sends the bytes and waits until one response is complete, or the other end disconnects. */
  ask(bytes: Buffer, isHead: boolean): Promise<WireExchange>;
  /** Sends the bytes and ends the stream, then waits until the other end disconnects. */
  sendLast(bytes: Buffer): Promise<WireExchange>;
  close(): void;
}

/** Far longer than anything may take; the caller checks the limit itself. */
const responseTimeoutMs = 60_000;
const watch = startStopwatch();

export async function openHttpConnection(
  port: number,
  ca: string,
  localAddress = '127.0.0.1',
): Promise<HttpConnection> {
  const to = { host: '127.0.0.1', port, localAddress };
  const socket = connect({ ...to, ca, servername: 'localhost' });
  socket.setNoDelay(true);
  // A reset counts as a close.
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  const connection: HttpConnection = {
    usable: true,
    ask: (bytes, isHead) => sendAndReceive(socket, connection, { bytes, isHead, last: false }),
    sendLast: (bytes) => sendAndReceive(socket, connection, { bytes, isHead: false, last: true }),
    close: () => socket.destroy(),
  };
  socket.once('close', () => (connection.usable = false));
  return connection;
}

interface WireRequest {
  bytes: Buffer;
  isHead: boolean;
  /** Nothing more will be sent on this connection. */
  last: boolean;
}

function sendAndReceive(
  socket: TLSSocket,
  connection: HttpConnection,
  { bytes, isHead, last }: WireRequest,
): Promise<WireExchange> {
  const { promise, resolve, reject } = Promise.withResolvers<WireExchange>();
  const started = watch.ms();
  const received: Buffer[] = [];
  const exchangeSoFar = (ended: boolean): WireExchange => {
    const all = Buffer.concat(received);
    const { answers, complete } = readResponses(all, isHead);
    if (!last && (!complete || answers.at(-1)?.head.includes('connection: close'))) connection.usable = false;
    return { answers, received: all, ended, ms: watch.ms() - started };
  };
  const finish = (result: WireExchange): void => {
    clearTimeout(late);
    socket.off('data', onData).off('close', onClose);
    resolve(result);
  };
  const onData = (chunk: Buffer): void => {
    received.push(chunk);
    if (last) return;
    const result = exchangeSoFar(false);
    if (result.answers.length > 0) finish(result);
  };
  const onClose = (): void => finish(exchangeSoFar(true));
  const late = setTimeout(
    () => reject(new Error(`no answer within ${responseTimeoutMs} ms`)),
    responseTimeoutMs,
  );
  if (socket.destroyed) onClose();
  socket.on('data', onData).once('close', onClose);
  socket.write(bytes);
  if (last) socket.end();
  return promise;
}

/** The complete responses in the bytes, without interim ones. */
function readResponses(bytes: Buffer, isHead: boolean): { answers: WireResponse[]; complete: boolean } {
  const answers: WireResponse[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) return { answers, complete: false };
    const head = bytes.toString('latin1', at, end).toLowerCase();
    const http = Number(/^http\/1\.[01] (\d{3})/.exec(head)?.[1]);
    const bare = isHead || http < 200 || http === 204 || http === 304;
    const body = bare ? Buffer.alloc(0) : bodyOf(head, bytes.subarray(end + 4));
    if (!body) return { answers, complete: false };
    if (!(http < 200)) answers.push({ http, head, body });
    at = end + 4 + body.length;
  }
  return { answers, complete: true };
}

/**
 * The body that follows the headers, undefined while some of it is missing. The service itself never sends
 * chunks; Node does.
 */
function bodyOf(head: string, rest: Buffer): Buffer | undefined {
  if (!head.includes('\r\ntransfer-encoding: chunked')) {
    const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    return rest.length < length ? undefined : rest.subarray(0, length);
  }
  const last = rest.indexOf('0\r\n\r\n');
  return last < 0 ? undefined : rest.subarray(0, last + 5);
}
