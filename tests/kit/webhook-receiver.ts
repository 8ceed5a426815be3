/** A receiver of webhooks on a loopback port with its own certificate. It answers as the test says and keeps what it received. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';

interface ReceivedMessage {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  /** The parsed body. */
  said: Record<string, unknown> & { id: string; event: string };
}

export interface WebhookReceiver extends AsyncDisposable {
  url: string;
  /** The certificate that it presents. */
  ca: string;
  received: ReceivedMessage[];
  /** With what it answers from now on; 3xx with a redirect to itself. */
  status: number;
  /** What it answers with besides. */
  reply: string;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const { cert, key } = await createSelfSigned(['127.0.0.1'], new Date());
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const said = JSON.parse(body) as ReceivedMessage['said'];
    receiver.received.push({ path: request.url, headers: request.headers, body, said });
    response.writeHead(receiver.status, { location: `${receiver.url}/redirected` }).end(receiver.reply);
  };
  const server = createServer({ cert, key }, (request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: cert,
    received: [],
    status: 200,
    reply: '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
