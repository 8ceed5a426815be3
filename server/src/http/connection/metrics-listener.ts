/** A separate listener that serves the metrics to Prometheus and nothing else. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConnectionLimits } from './connection-limiter.ts';
import { openPlainListener, type PlainListener } from './plain-listener.ts';

interface Options {
  host: string;
  port: number;
  text: () => Promise<string>;
  /** Called when the metrics could not be collected; the client gets a 500 without details. */
  onFailure?: (error: unknown) => void;
  limits?: ConnectionLimits | undefined;
  /** The shortest time between two collections. */
  collectEveryMs?: number;
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export async function openMetricsListener({
  host,
  port,
  text,
  onFailure = () => {},
  limits,
  collectEveryMs = 100,
}: Options): Promise<PlainListener> {
  const limitedText = limitCollections(text, collectEveryMs);
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void answer(request, response, limitedText).catch((error: unknown) => {
      onFailure(error);
      sendText(response, 500, 'the metrics could not be read\n');
    });
  return openPlainListener({ host, port, limits, onRequest });
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
