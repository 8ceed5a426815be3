/** A small listener over plain HTTP for few and fast clients, with tight limits. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnectionLimiter, type ConnectionLimits } from './connection-limiter.ts';
import { endPipelining, isPipelined } from './pipelining.ts';

export interface PlainListener {
  /** The actual port, also if port 0 was requested. */
  port: number;
  close(): Promise<void>;
}

interface Options {
  host: string;
  port: number;
  onRequest: RequestListener;
  limits?: ConnectionLimits | undefined;
}

/** Slow connections must not keep others out. */
const timeouts = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
const stallTimeoutMs = 10_000;
/** How many connections the system queues until they are accepted, so that a burst does not keep clients out. */
const backlog = 4_096;
const defaultLimits = { connections: 100, connectionsPerAddress: 10 };

export async function openPlainListener({
  host,
  port,
  onRequest,
  limits = defaultLimits,
}: Options): Promise<PlainListener> {
  const server = createServer({ ...timeouts, maxHeaderSize: 8_192 });
  // For clients that do not read their response.
  server.setTimeout(stallTimeoutMs);
  const limiter = createConnectionLimiter(limits);
  server.prependListener('connection', (socket) => void limiter.admit(socket));
  server.on('request', (request, response) => {
    // Such clients do not pipeline.
    if (isPipelined(response)) return endPipelining(request);
    onRequest(request, response);
  });
  await listen(server, host, port);
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
