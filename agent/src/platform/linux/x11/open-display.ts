/** Opens an X11 display. Only this file creates connections with the x11 package. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import x11 from 'x11';
import type { DisplayAddress } from '../display.ts';
import { NotPossible } from '../../platform.ts';
import { openPath } from '../files/handles.ts';
import { cookiesFor, type XauthCookie } from './cookies.ts';

/** How long a display may take to accept a connection. */
const answerTimeoutMs = 5_000;

/**
 * The cookie is only sent to the display and kept nowhere, so that child processes of the agent do not get it. A display
 * that does not answer is not tried with the next cookie.
 */
export async function openDisplay({ display, socket }: DisplayAddress): Promise<x11.Opened> {
  if (socket === undefined) return handshake({ display });
  let stream: Socket | undefined = await connectSocket(socket);
  let refusal: unknown;
  for await (const auth of cookiesFor(display))
    try {
      return await handshake({ display, auth, stream: stream ?? (await connectSocket(socket)) });
    } catch (error) {
      if (error instanceof NotPossible) throw error;
      [refusal, stream] = [error, undefined];
    }
  throw refusal;
}

/** Rejects if no server listens, and for a link, because any user can create one that leads to another service. */
async function connectSocket(socket: string): Promise<Socket> {
  const named = await openPath(socket);
  if (!(await named.stat()).isSocket()) {
    await named.close();
    throw new Error('it is not a socket');
  }
  const stream = createConnection(`/proc/self/fd/${named.fd}`);
  await once(stream, 'connect').finally(() => void named.close());
  // Handles errors until the package adds its own listener.
  stream.on('error', () => {});
  return stream;
}

function handshake(options: { display: string; auth?: XauthCookie; stream?: Socket }): Promise<x11.Opened> {
  const { promise, resolve, reject } = Promise.withResolvers<x11.Opened>();
  if (options.stream?.destroyed) return Promise.reject(new Error('it closed the connection'));
  // The package sends its greeting in several writes. A display that refuses closes after the first one, and its reason would be lost.
  options.stream?.cork();
  setImmediate(() => options.stream?.uncork());
  const client = x11.createClient({ ...options, shm: false }, (error, opened) =>
    error ? reject(error) : resolve(opened),
  );
  const timeout = setTimeout(
    () => reject(new NotPossible(`it did not answer within ${answerTimeoutMs / 1_000} seconds`)),
    answerTimeoutMs,
  );
  // Later errors concern windows that were closed before a request reached them; callers that care await an answer.
  client.on('error', reject);
  promise.catch(() => client.stream?.destroy());
  return promise.finally(() => clearTimeout(timeout));
}
