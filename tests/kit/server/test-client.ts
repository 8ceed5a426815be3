/**
 * A client of a service for tests: the typed client and plain requests, over TLS with the service's
 * certificate trusted.
 */
import { Agent, request } from 'node:https';
import { readFileSync } from 'node:fs';
import { createClient, type Client } from '@drawbridge/client';
import type { RunningServer } from '@drawbridge/server/compose/server';

export interface PlainRequest {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

export interface PlainResponse {
  http: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  bytes: Buffer;
}

export interface TestClient {
  baseUrl: string;
  ca: string;
  sdkClient(apiKey?: string): Client;
  send(plain: PlainRequest): Promise<PlainResponse>;
  close(): void;
}

/** `fetch` by plain requests. */
const fetchOver =
  (send: TestClient['send']) =>
  async (url: URL | string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const { method = 'GET', headers, body } = init;
    const answer = await send({
      method,
      path: pathname + search,
      headers: headers as Record<string, string>,
      ...(body !== undefined && body !== null && { body: body as string }),
    });
    const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const isEmpty = answer.http === 204 || answer.http === 304;
    return new Response(isEmpty ? null : new Uint8Array(answer.bytes), {
      status: answer.http,
      headers: pairs,
    });
  };

export function openTestClient({
  config,
  certificate,
}: Pick<RunningServer, 'config' | 'certificate'>): TestClient {
  const baseUrl = `https://localhost:${config.listen.port}`;
  const ca = readFileSync(certificate.certFile, 'utf8');
  const agent = new Agent({ keepAlive: true, maxSockets: 64, ca });

  const send = ({ method = 'GET', path, headers = {}, body }: PlainRequest): Promise<PlainResponse> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      // The path is sent unchanged: as part of a URL it would be normalised.
      const sent = request(baseUrl, { method, path, agent, headers: { ...length, ...headers } }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({ http: answer.statusCode!, headers: answer.headers, text: bytes.toString(), bytes });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });

  return {
    baseUrl,
    ca,
    sdkClient: (apiKey = '') => createClient({ baseUrl, apiKey, fetch: fetchOver(send), retries: 0 }),
    send,
    close: () => agent.destroy(),
  };
}
