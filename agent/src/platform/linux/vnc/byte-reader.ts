/** Reads a given number of bytes from a VNC server. Unread bytes stay in the socket, which gives back-pressure. */
import type { Readable } from 'node:stream';
import { NotPossible } from '../../platform.ts';

/** Each method rejects if the server closes the connection too early. */
export interface ByteReader {
  take(count: number): Promise<Buffer>;
  /** Reads directly into the target. */
  fill(target: Uint8Array): Promise<void>;
  skip(count: number): Promise<void>;
}

export function createByteReader(stream: Readable): ByteReader {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let chunk: Buffer = Buffer.alloc(0);
  /** Returns the next bytes, at least one and at most `max`. */
  const readSome = async (max: number): Promise<Buffer> => {
    while (chunk.length === 0) {
      const { value, done } = await chunks.next();
      if (done) throw new NotPossible('The VNC server of the device ended the connection.');
      chunk = value;
    }
    const taken = chunk.subarray(0, max);
    chunk = chunk.subarray(taken.length);
    return taken;
  };
  const fill = async (target: Uint8Array): Promise<void> => {
    for (let at = 0; at < target.length;) {
      const taken = await readSome(target.length - at);
      target.set(taken, at);
      at += taken.length;
    }
  };
  return {
    fill,
    async take(count) {
      const bytes = Buffer.alloc(count);
      await fill(bytes);
      return bytes;
    },
    async skip(count) {
      for (let left = count; left > 0;) left -= (await readSome(left)).length;
    },
  };
}
