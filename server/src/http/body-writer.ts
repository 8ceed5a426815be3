/** Sends long response bodies in small chunks, each only when the client has taken the one before. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { BodyPlaces, BodyPool, Place } from './body-places.ts';
import { chunkBytes } from './pages.ts';

/** Whose place the body takes. */
export interface Destination {
  pool: BodyPool;
  /** Of the client. */
  address: string;
  places: BodyPlaces;
}

/** Whether the body needs a place; a short one leaves in one write. */
export const isLong = (body: string | Buffer | Readable): boolean =>
  body instanceof Readable || body.length > chunkBytes;

/** The place from which the body is sent, or the limit that is reached. */
export function enterPlace(
  response: ServerResponse,
  { pool, address, places }: Destination,
): Place | 'network' | 'total' {
  const { socket } = response.req;
  return places.enter({ pool, address, destroy: () => void socket.destroy() });
}

/** Sends the body to its end. One that breaks off is cut off, so that nobody takes it for the whole. */
export async function writeBody(
  response: ServerResponse,
  body: string | Buffer | Readable,
  place: Place,
): Promise<void> {
  const { socket } = response.req;
  const source = body instanceof Readable ? body : [typeof body === 'string' ? Buffer.from(body) : body];
  let giveUp = (): void => {};
  const onClose = (): void => {
    giveUp();
    if (body instanceof Readable) body.destroy();
  };
  const handOver = async (give: (taken: () => void) => void): Promise<void> => {
    place.waiting();
    await new Promise<void>((resolve, reject) => {
      giveUp = () => reject(new Error('the connection was closed'));
      if (socket.destroyed) giveUp();
      else give(resolve);
    });
    place.taken();
  };
  socket.once('close', onClose);
  if (socket.destroyed) onClose();
  try {
    for await (const bytes of source as AsyncIterable<Buffer>)
      for (let at = 0; at < bytes.length; at += chunkBytes)
        await handOver((taken) => response.write(bytes.subarray(at, at + chunkBytes), taken));
    await handOver((taken) => response.end(taken));
  } catch {
    socket.destroy();
  } finally {
    socket.off('close', onClose);
    place.release();
  }
}
