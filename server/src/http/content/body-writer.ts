/** Sends long response bodies in small chunks, each only when the client has taken the one before. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { BodyLimiter, BodyPool, BodySlot } from './body-limiter.ts';
import { writeChunkBytes } from '../route.ts';

/** Whose place the body takes. */
export interface BodyDestination {
  pool: BodyPool;
  /** Of the client. */
  address: string;
  bodyLimiter: BodyLimiter;
}

/**
 * Chunks that may be written in one turn of the event loop, whoever they are for. A thousand clients that ask for a file at
 * the same time would otherwise fill turn after turn, and everyone else waits several turns for one response.
 */
const chunksPerTurn = 4;

/** Resolves in the order of the calls, for so many callers in each turn of the event loop. */
function createTurnstile(perTurn: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  const open = (): void => {
    const passing = waiting.slice(0, perTurn);
    waiting = waiting.slice(perTurn);
    if (waiting.length > 0) setImmediate(open);
    passing.forEach((pass) => pass());
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(open);
    });
}

const nextTurn = createTurnstile(chunksPerTurn);

/** Whether the body needs a place; a short one leaves in one write. */
export const needsSlot = (body: string | Buffer | Readable): boolean =>
  body instanceof Readable || body.length > writeChunkBytes;

/** The place from which the body is sent, or the limit that is reached. */
export function acquireSlot(
  response: ServerResponse,
  { pool, address, bodyLimiter }: BodyDestination,
): BodySlot | 'network' | 'total' {
  const { socket } = response.req;
  return bodyLimiter.acquire({ pool, address, destroy: () => void socket.destroy() });
}

/** Sends the body to its end. One that breaks off is cut off, so that nobody takes it for the whole. */
export async function writeBody(
  response: ServerResponse,
  body: string | Buffer | Readable,
  slot: BodySlot,
): Promise<void> {
  const { socket } = response.req;
  const source = body instanceof Readable ? body : [typeof body === 'string' ? Buffer.from(body) : body];
  let giveUp = (): void => {};
  const onClose = (): void => {
    giveUp();
    if (body instanceof Readable) body.destroy();
  };
  const sendChunk = async (give: (taken: () => void) => void): Promise<void> => {
    slot.chunkSent();
    await new Promise<void>((resolve, reject) => {
      giveUp = () => reject(new Error('the connection was closed'));
      if (socket.destroyed) giveUp();
      else give(resolve);
    });
    slot.chunkTaken();
  };
  socket.once('close', onClose);
  if (socket.destroyed) onClose();
  try {
    for await (const bytes of source as AsyncIterable<Buffer>)
      for (let at = 0; at < bytes.length; at += writeChunkBytes) {
        await nextTurn();
        await sendChunk((taken) => response.write(bytes.subarray(at, at + writeChunkBytes), taken));
      }
    await sendChunk((taken) => response.end(taken));
  } catch {
    socket.destroy();
  } finally {
    socket.off('close', onClose);
    slot.release();
  }
}
