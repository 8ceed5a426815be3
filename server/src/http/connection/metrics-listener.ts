/** A separate listener that serves the metrics to Prometheus and nothing else. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnectionLimiter, type ConnectionLimits } from './connection-limiter.ts';
import { endPipelining, isPipelined } from './pipelining.ts';

export interface MetricsListener {
  /** The actual port, also if port 0 was requested. */
  port: number;
  close(): Promise<void>;
}

interface Options {
  host: string;
  port: number;
  text: () => Promise<string>;
  /** Called when the metrics could not be collected; the client gets a 500 without details. */
  onFailure?: (error: unknown) => void;
  limits?: ConnectionLimits;
  /** The shortest time between two collections. */
  collectEveryMs?: number;
}

/** Clients that read metrics are few and fast; slow connections must not keep them out. */
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

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export async function openMetricsListener({
  host,
  port,
  text,
  onFailure = () => {},
  limits = defaultLimits,
  collectEveryMs = 100,
}: Options): Promise<MetricsListener> {
  const server = createServer({ ...timeouts, maxHeaderSize: 8_192 });
  // For clients that do not read their response.
  server.setTimeout(stallTimeoutMs);
  const limiter = createConnectionLimiter(limits);
  server.prependListener('connection', (socket) => void limiter.admit(socket));
  const limitedText = limitCollections(text, collectEveryMs);
  server.on('request', (request, response) => {
    // Clients that read metrics do not pipeline.
    if (isPipelined(response)) return endPipelining(request);
    answer(request, response, limitedText).catch((error: unknown) => {
      onFailure(error);
      sendText(response, 500, 'the metrics could not be read\n');
    });
  });
  await listen(server, host, port);
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

/**
 * Collects not more often than this. A request that comes too early waits for the next collection, with all others that
 * come meanwhile: many clients cost no more than one, and nobody gets values from before the request.
 */
function limitCollections(collect: () => Promise<string>, everyMs: number): () => Promise<string> {
  let next: Promise<string> | undefined;
  let begunAt = -Infinity;
  const begin = async (): Promise<string> => {
    await wait(Math.max(0, begunAt + everyMs - performance.now()));
    next = undefined;
    begunAt = performance.now();
    return collect();
  };
  return () => (next ??= begin());
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  text: () => Promise<string>,
): Promise<void> {
  request.resume();
  if (request.url?.replace(/\?.*$/s, '') !== '/metrics')
    return sendText(response, 404, 'only /metrics is served here\n');
  if (request.method !== 'GET') {
    response.setHeader('allow', 'GET');
    return sendText(response, 405, 'only GET is supported\n');
  }
  const body = await text();
  response.setHeader('content-type', contentType);
  response.end(body);
}

function sendText(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(sentence);
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
