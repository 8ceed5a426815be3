/** The way into an X11 display: the one place where the package x11 connects to one. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import x11 from 'x11';
import type { DisplayAddress } from '../display.ts';
import { openPath } from '../files/handles.ts';
import { cookiesFor, type XauthCookie } from './cookies.ts';

/** A display that takes longer to let somebody in is not alive. */
const answerTimeoutMs = 5_000;

class DisplayTimeout extends Error {
  override message = `it did not answer within ${answerTimeoutMs / 1_000} seconds`;
}

/** A cookie is given to the display and kept nowhere: what the agent starts has no business with it. */
export async function openDisplay({ display, socket }: DisplayAddress): Promise<x11.Opened> {
  if (socket === undefined) return handshake({ display });
  let stream: Socket | undefined = await connectSocket(socket);
  let refusal: unknown;
  for await (const auth of cookiesFor(display))
    try {
      return await handshake({ display, auth, stream: stream ?? (await connectSocket(socket)) });
    } catch (error) {
      if (error instanceof DisplayTimeout) throw error;
      [refusal, stream] = [error, undefined];
    }
  throw refusal;
}

/** Rejects at once where nobody listens any more, and for a link: any user can create one that leads to another service. */
async function connectSocket(socket: string): Promise<Socket> {
  const named = await openPath(socket);
  if (!(await named.stat()).isSocket()) {
    await named.close();
    throw new Error('it is not a socket');
  }
  const stream = createConnection(`/proc/self/fd/${named.fd}`);
  await once(stream, 'connect').finally(() => void named.close());
  // Until the package listens too.
  stream.on('error', () => {});
  return stream;
}

function handshake(options: { display: string; auth?: XauthCookie; stream?: Socket }): Promise<x11.Opened> {
  const { promise, resolve, reject } = Promise.withResolvers<x11.Opened>();
  if (options.stream?.destroyed) return Promise.reject(new Error('it closed the connection'));
  // The package greets in several writes: after the first a display that refuses hangs up, and its reason would be lost.
  options.stream?.cork();
  setImmediate(() => options.stream?.uncork());
  const client = x11.createClient({ ...options, shm: false }, (error, opened) =>
    error ? reject(error) : resolve(opened),
  );
  const limit = setTimeout(() => reject(new DisplayTimeout()), answerTimeoutMs);
  // Later errors are about windows that were gone before a request reached them: whoever cares awaits an answer.
  client.on('error', reject);
  promise.catch(() => client.stream?.destroy());
  return promise.finally(() => clearTimeout(limit));
}
