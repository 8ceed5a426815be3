/** Sends long response bodies in small chunks, each after the client has read the one before. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { BodyLimiter, BodyPool, BodySlot } from './body-limiter.ts';
import { isChunked, toWhole, type ChunkedBody } from './chunked-body.ts';
import { writeChunkBytes } from '../route.ts';

/** Which client receives the body, and which slots it uses. */
export interface BodyDestination {
  pool: BodyPool;
  /** The address of the client. */
  address: string;
  bodyLimiter: BodyLimiter;
}

/**
 * How many chunks are written in one turn of the event loop, for all clients together. Otherwise a thousand clients that
 * request a file at the same time would fill turn after turn, and each other request would wait for several turns.
 */
const chunksPerTurn = 4;

/** Returns a function whose promises resolve in the order of the calls, `perTurn` of them in each turn of the event loop. */
function createThrottle(perTurn: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  const releaseNext = (): void => {
    const released = waiting.slice(0, perTurn);
    waiting = waiting.slice(perTurn);
    if (waiting.length > 0) setImmediate(releaseNext);
    released.forEach((resolve) => resolve());
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(releaseNext);
    });
}

const nextTurn = createThrottle(chunksPerTurn);

/** A short body needs no slot, because it is sent in one write. */
export const needsSlot = (body: string | Buffer | ChunkedBody | Readable): boolean =>
  body instanceof Readable || body.length > writeChunkBytes;

/** Returns the slot for the body, or the limit that is reached. */
export function acquireSlot(
  response: ServerResponse,
  { pool, address, bodyLimiter }: BodyDestination,
): BodySlot | 'network' | 'total' {
  const { socket } = response.req;
  return bodyLimiter.acquire({ pool, address, destroy: () => void socket.destroy() });
}

/** Callers that have authenticated receive larger chunks, because each write has its cost. */
const chunkBytesOf = (pool: BodyPool): number => (pool === 'answers' ? 6 : 1) * writeChunkBytes;

/** Sends the whole body. If it fails, the connection is cut, so that the client does not take a part for the whole. */
export async function writeBody(
  response: ServerResponse,
  body: string | Buffer | ChunkedBody | Readable,
  slot: BodySlot,
  pool: BodyPool,
): Promise<void> {
  const { socket } = response.req;
  const chunkBytes = chunkBytesOf(pool);
  const source = body instanceof Readable ? body : isChunked(body) ? body.chunks : [toWhole(body)];
  let giveUp = (): void => {};
  const onClose = (): void => {
    giveUp();
    if (body instanceof Readable) body.destroy();
  };
  const sendChunk = async (write: (onRead: () => void) => void): Promise<void> => {
    slot.chunkSent();
    await new Promise<void>((resolve, reject) => {
      giveUp = () => reject(new Error('the connection was closed'));
      if (socket.destroyed) giveUp();
      else write(resolve);
    });
    slot.chunkTaken();
  };
  socket.once('close', onClose);
  if (socket.destroyed) onClose();
  try {
    for await (const bytes of source as AsyncIterable<Buffer>)
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        await nextTurn();
        await sendChunk((onRead) => response.write(bytes.subarray(at, at + chunkBytes), onRead));
      }
    await sendChunk((onRead) => response.end(onRead));
  } catch {
    socket.destroy();
  } finally {
    socket.off('close', onClose);
    slot.release();
  }
}
