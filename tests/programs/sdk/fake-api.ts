/** A small server that answers the client as the test specifies. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type ClientOptions, createClient, DrawbridgeError } from '@drawbridge/client';

interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Respond = (response: ServerResponse, count: number) => void;

export async function startFakeApi(say: Respond) {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    say(response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    received,
    client: (options: Partial<ClientOptions> = {}): Client =>
      createClient({ baseUrl, apiKey: 'k', backoffMs: 1, ...options }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const json =
  (http: number, body: object, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(http, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

export const refusedWith = (facts: Partial<DrawbridgeError>) => (error: unknown) => {
  assert.ok(error instanceof DrawbridgeError);
  assert.partialDeepStrictEqual({ ...error, message: error.message }, facts);
  return true;
};
