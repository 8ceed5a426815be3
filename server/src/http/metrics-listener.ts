/** The separate listener on which Prometheus reads the metrics, and nobody anything else. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MetricsListener {
  /** The port in use, also when 0 was asked for. */
  port: number;
  close(): Promise<void>;
}

interface Options {
  host: string;
  port: number;
  text: () => Promise<string>;
  /** Told when the metrics could not be made; the reader gets a 500 and no detail. */
  onFailure?: (error: unknown) => void;
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export async function openMetrics({
  host,
  port,
  text,
  onFailure = () => {},
}: Options): Promise<MetricsListener> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000, maxHeaderSize: 8_192 });
  server.maxConnections = 20;
  server.on('request', (request, response) => {
    answer(request, response, text).catch((error: unknown) => {
      onFailure(error);
      say(response, 500, 'the metrics could not be read\n');
    });
  });
  await listen(server, host, port);
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  text: () => Promise<string>,
): Promise<void> {
  request.resume();
  if (request.url?.replace(/\?.*$/s, '') !== '/metrics') return say(response, 404, 'only /metrics is here\n');
  if (request.method !== 'GET') {
    response.setHeader('allow', 'GET');
    return say(response, 405, 'only GET is answered\n');
  }
  const body = await text();
  response.setHeader('content-type', contentType);
  response.end(body);
}

function say(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(sentence);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
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
