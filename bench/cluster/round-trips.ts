/** A proxy before PostgreSQL that counts round trips: each begins when a client sends something after it got its answers. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface RoundTripCounter extends AsyncDisposable {
  /** The address of the same database, through the proxy. */
  url: string;
  /** Round trips so far, on all connections. */
  count(): number;
}

const readyForQuery = 'Z'.charCodeAt(0);
/** A message has a type and a length, which includes itself. */
const headBytes = 5;

/** Calls `onReady` for each ReadyForQuery in a stream of messages, however it is cut. */
function createReader(onReady: () => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let toSkip = 0;
  return (chunk) => {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (;;) {
      const skipped = Math.min(toSkip, bytes.length);
      toSkip -= skipped;
      bytes = bytes.subarray(skipped);
      if (toSkip > 0 || bytes.length < headBytes) break;
      if (bytes[0] === readyForQuery) onReady();
      toSkip = bytes.readUInt32BE(1) + 1;
    }
    rest = Buffer.from(bytes);
  };
}

export async function countRoundTrips(databaseUrl: string): Promise<RoundTripCounter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let trips = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let isAnswered = true;
    near.on('data', () => {
      if (isAnswered) trips += 1;
      isAnswered = false;
    });
    far.on(
      'data',
      createReader(() => (isAnswered = true)),
    );
    near.pipe(far).pipe(near);
    for (const socket of [near, far])
      socket.on('error', () => {}).on('close', () => [near, far].forEach((each) => each.destroy()));
    sockets.add(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    count: () => trips,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
