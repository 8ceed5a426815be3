/** Opens an X11 display. Only this file creates connections with the x11 package. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import x11 from 'x11';
import type { DisplayAddress } from '../display.ts';
import { NotPossible } from '../../platform.ts';
import { openPath } from '../files/handles.ts';
import { cookiesFor, type XauthCookie } from './cookies.ts';

/** How long a display may take to accept a connection, unless the caller gives another time. */
const answerTimeoutMs = 5_000;
const retryMs = 50;

/**
 * The cookie is only sent to the display and kept nowhere, so that child processes of the agent do not get it. A display
 * that does not answer is not tried with the next cookie.
 */
export async function openDisplay(
  { display, socket }: DisplayAddress,
  timeoutMs = answerTimeoutMs,
): Promise<x11.Opened> {
  if (socket === undefined) return handshake({ display }, timeoutMs);
  let stream: Socket | undefined = await connectSocket(socket, timeoutMs);
  let refusal: unknown;
  for await (const auth of cookiesFor(display))
    try {
      stream ??= await connectSocket(socket, timeoutMs);
      return await handshake({ display, auth, stream }, timeoutMs);
    } catch (error) {
      if (error instanceof NotPossible) throw error;
      [refusal, stream] = [error, undefined];
    }
  throw refusal;
}

/** Rejects if no server listens, and for a link, because any user can create one that leads to another service. */
async function connectSocket(socket: string, timeoutMs: number): Promise<Socket> {
  const named = await openPath(socket);
  try {
    if (!(await named.stat()).isSocket()) throw new Error('it is not a socket');
    return await connectInTime(`/proc/self/fd/${named.fd}`, timeoutMs);
  } finally {
    await named.close();
  }
}

/** An XWayland that is being started accepts nothing yet, and GNOME lets only two connections wait for it. */
async function connectInTime(path: string, timeoutMs: number): Promise<Socket> {
  for (let leftMs = timeoutMs; ; leftMs -= retryMs) {
    const stream = createConnection(path);
    try {
      await once(stream, 'connect');
      // Handles errors until the package adds its own listener.
      stream.on('error', () => {});
      return stream;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || leftMs <= 0) throw error;
      await pause(retryMs);
    }
  }
}

function handshake(
  options: { display: string; auth?: XauthCookie; stream?: Socket },
  timeoutMs: number,
): Promise<x11.Opened> {
  const { promise, resolve, reject } = Promise.withResolvers<x11.Opened>();
  if (options.stream?.destroyed) return Promise.reject(new Error('it closed the connection'));
  // The package sends its greeting in several writes. A display that refuses closes after the first one, and its reason would be lost.
  options.stream?.cork();
  setImmediate(() => options.stream?.uncork());
  const client = x11.createClient({ ...options, shm: false }, (error, opened) =>
    error ? reject(error) : resolve(opened),
  );
  const timeout = setTimeout(
    () => reject(new NotPossible(`it did not answer within ${timeoutMs / 1_000} seconds`)),
    timeoutMs,
  );
  // Later errors concern windows that were closed before a request reached them; callers that care await an answer.
  client.on('error', reject);
  promise.catch(() => client.stream?.destroy());
  return promise.finally(() => clearTimeout(timeout));
}
