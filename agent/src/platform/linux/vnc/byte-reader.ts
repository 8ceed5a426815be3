/** The bytes of a VNC server in the pieces that its messages are made of; what is not read yet stays with the system. */
import type { Readable } from 'node:stream';
import { NotPossible } from '../../platform.ts';

/** Each rejects where the server ends before all of it came. */
export interface ByteReader {
  take(count: number): Promise<Buffer>;
  /** Copies what comes to where it belongs. */
  fill(target: Uint8Array): Promise<void>;
  skip(count: number): Promise<void>;
}

export function createByteReader(stream: Readable): ByteReader {
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let piece: Buffer = Buffer.alloc(0);
  /** The next bytes, at most so many and at least one. */
  const some = async (most: number): Promise<Buffer> => {
    while (piece.length === 0) {
      const { value, done } = await pieces.next();
      if (done) throw new NotPossible('The VNC server of the device ended the connection.');
      piece = value;
    }
    const taken = piece.subarray(0, most);
    piece = piece.subarray(taken.length);
    return taken;
  };
  const fill = async (target: Uint8Array): Promise<void> => {
    for (let at = 0; at < target.length;) {
      const taken = await some(target.length - at);
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
      for (let left = count; left > 0;) left -= (await some(left)).length;
    },
  };
}
