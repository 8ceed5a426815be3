/** The baseline: a bare Node server, with and without TLS, that always answers a path with the same bytes. */
import { readFileSync } from 'node:fs';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

export interface RecordedResponse {
  headers: Record<string, string>;
  /** Base64. */
  body: string;
}

export interface RawServerSetup {
  certFile: string;
  keyFile: string;
  answers: Record<string, RecordedResponse>;
}

function listenerOf(setup: RawServerSetup): RequestListener {
  const answers = new Map(
    Object.entries(setup.answers).map(([path, { headers, body }]) => [
      path,
      { headers, body: Buffer.from(body, 'base64') },
    ]),
  );
  return (request, response) => {
    const answer = answers.get(request.url!);
    response.writeHead(answer ? 200 : 404, answer?.headers);
    response.end(answer?.body);
  };
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

process.once('message', (setup: RawServerSetup) => {
  const answer = listenerOf(setup);
  const files = { cert: readFileSync(setup.certFile), key: readFileSync(setup.keyFile) };
  void Promise.all([listen(createSecure(files, answer)), listen(createPlain(answer))]).then(
    ([secure, plain]) => process.send!({ secure, plain }),
  );
});
process.once('disconnect', () => process.exit(0));
