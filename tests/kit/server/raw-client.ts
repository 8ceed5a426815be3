/** A client that sends exactly the given bytes, for tests of what well-behaved clients never send. */
import { once } from 'node:events';
import { connect as connectPlain, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectSecure, type ConnectionOptions } from 'node:tls';

export interface RawClient extends AsyncDisposable {
  socket: Socket;
  send(...bytes: (string | Buffer)[]): void;
  /** Everything received so far. */
  received(): string;
  /** Resolves once the text so far fits; rejects if the connection ends first. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with everything received once the other end has closed the connection in any way. */
  ended(): Promise<string>;
}

/** `from`: the loopback address it connects from. */
export async function openRawClient(
  port: number,
  tls?: ConnectionOptions,
  from = '127.0.0.1',
): Promise<RawClient> {
  const to = { host: '127.0.0.1', port, localAddress: from };
  const socket = tls ? connectSecure({ ...to, rejectUnauthorized: false, ...tls }) : connectPlain(to);
  await once(socket, tls ? 'secureConnect' : 'connect');
  return createRawClient(socket);
}

function createRawClient(socket: Socket): RawClient {
  let text = '';
  socket.setNoDelay(true).on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
  // A reset counts as a close.
  socket.on('error', () => {});
  const gone = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  return {
    socket,
    send: (...bytes) => bytes.forEach((part) => socket.write(part)),
    received: () => text,
    until: async (pattern) => {
      while (!pattern.test(text)) {
        await Promise.race([once(socket, 'data'), gone]);
        if (socket.destroyed && !pattern.test(text)) throw new Error(`hung up after: ${text}`);
      }
      return text;
    },
    ended: () => gone.then(() => text),
    [Symbol.asyncDispose]: async () => {
      socket.destroy();
      await gone;
    },
  };
}

/** Forwards a connection byte by byte, each in its own packet. */
export async function openByteByByteProxy(port: number): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer((near) => {
    const far = connectPlain({ host: '127.0.0.1', port, noDelay: true });
    far.pipe(near);
    // Either end may close while bytes are in transit.
    forwardByteByByte(near, far).catch(() => {});
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close };
}

async function forwardByteByByte(from: Socket, to: Socket): Promise<void> {
  for await (const bytes of from) {
    for (const byte of bytes as Buffer) {
      await new Promise((resolve) => void to.write(Buffer.of(byte), resolve));
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
}
