/** A server that offers the files of a release at /download/. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { releaseFileName } from './release.ts';

export interface PausingServer extends AsyncDisposable {
  url: string;
  /** Called when so many bytes, half of the next program, were sent. The rest follows when it has resolved. */
  onHalf(listener: (bytes: number) => Promise<void>): void;
}

export async function openPausingServer(folder: string): Promise<PausingServer> {
  const tls = await createSelfSigned(['localhost'], new Date());
  let halfSent: ((bytes: number) => Promise<void>) | undefined;
  const server = createServer(tls, (request, response) => {
    const name = request.url!.replace('/download/', '');
    const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
    const bytes = readFileSync(join(folder, name)).subarray(from);
    response.writeHead(from > 0 ? 206 : 200);
    if (name !== releaseFileName || !halfSent) return void response.end(bytes);
    const [half, onHalf] = [bytes.length >> 1, halfSent];
    halfSent = undefined;
    response.write(bytes.subarray(0, half));
    void onHalf(half).then(() => response.end(bytes.subarray(half)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onHalf: (listener) => void (halfSent = listener),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
