/** The listener at port 80: answers HTTP-01 challenges (RFC 8555) and sends everyone else to the public address. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openPlainListener, type PlainListener } from './plain-listener.ts';

interface Options {
  host: string;
  port: number;
  /** What to answer to the challenge with this token; undefined if no such challenge is open. */
  textOf(token: string): string | undefined;
  /** An origin. */
  publicUrl(): string;
}

const prefix = '/.well-known/acme-challenge/';
/** People and devices come here too. */
const limits = { connections: 1_000, connectionsPerAddress: 50 };

export function openChallengeListener({ host, port, textOf, publicUrl }: Options): Promise<PlainListener> {
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    const url = request.url ?? '/';
    const text = url.startsWith(prefix) ? textOf(url.slice(prefix.length)) : undefined;
    if (text !== undefined) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(text);
    } else if (url.startsWith(prefix) || !url.startsWith('/') || !['GET', 'HEAD'].includes(request.method!)) {
      response.writeHead(404, { connection: 'close' }).end();
    } else {
      // The path is appended to an origin, so it cannot lead to another site.
      response.writeHead(308, { location: new URL(publicUrl()).origin + url, connection: 'close' }).end();
    }
  };
  return openPlainListener({ host, port, limits, onRequest });
}
