/** A proxy between browser and peer that counts bytes and simulates bandwidth and latency. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface LinkSpeed {
  /** Megabits per second in each direction; 0 for no limit. */
  megabits: number;
  /** Latency in milliseconds in each direction. */
  delayMs: number;
}

export interface SimulatedLink extends AsyncDisposable {
  port: number;
  /** From now on, new connections go to this target under these conditions. */
  lead(port: number, speed: LinkSpeed): void;
  /** Bytes sent to the browser so far. */
  bytes(): number;
}

/** Size of the simulated router's buffer; beyond it the sender must wait. */
const maxQueuedBytes = 256 * 1_024;

export async function openSimulatedLink(): Promise<SimulatedLink> {
  const sockets = new Set<Socket>();
  let [target, speed]: [number, LinkSpeed] = [0, { megabits: 0, delayMs: 0 }];
  let bytes = 0;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: target, noDelay: true });
    far.on('data', (chunk: Buffer) => (bytes += chunk.length));
    forwardDelayed(near, far, speed);
    forwardDelayed(far, near, speed);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lead: (port, at) => void ([target, speed] = [port, at]),
    bytes: () => bytes,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}

/** One direction: a chunk is sent when the link is free and arrives after the latency, in order. */
function forwardDelayed(from: Socket, to: Socket, { megabits, delayMs }: LinkSpeed): void {
  const waiting: { chunk: Buffer; due: number }[] = [];
  let [free, held] = [0, 0];
  const deliver = (): void => {
    for (let [next] = waiting; next && next.due <= performance.now(); [next] = waiting) {
      waiting.shift();
      held -= next.chunk.length;
      if (to.writable) to.write(next.chunk);
    }
    if (from.isPaused() && held < maxQueuedBytes / 2) from.resume();
    const [next] = waiting;
    if (next) setTimeout(deliver, Math.max(1, next.due - performance.now()));
  };
  const send = (chunk: Buffer): void => {
    const now = performance.now();
    free = Math.max(now, free) + (megabits === 0 ? 0 : (chunk.length * 8) / (megabits * 1_000));
    held += chunk.length;
    if (held > maxQueuedBytes) from.pause();
    waiting.push({ chunk, due: free + delayMs });
    if (waiting.length === 1) setTimeout(deliver, Math.max(1, free + delayMs - now));
  };
  const isSlow = megabits > 0 || delayMs > 0;
  from.on('data', isSlow ? (chunk: Buffer) => packetsOf(chunk).forEach(send) : (chunk) => to.write(chunk));
  from.once('close', () => setTimeout(() => to.destroy(), delayMs));
}

/** Splits data into chunks of a few packets, so that large data does not arrive all at once. */
const packetsOf = (chunk: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(chunk.length / 8_192) }, (_, index) =>
    chunk.subarray(index * 8_192, (index + 1) * 8_192),
  );
