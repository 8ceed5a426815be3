/** The messages of a VNC server: updates of the screen, texts of its clipboard, and what means nothing to the agent. */
import type { Framebuffer } from '../../../pixels/framebuffer.ts';
import { longestText } from './cut-text.ts';
import { protocolViolation } from './protocol-violation.ts';
import type { ByteReader } from './byte-reader.ts';
import { readUpdate, type Update } from './update.ts';

/** `cutText`: what a server says of its clipboard that has learnt to do so in any script. */
export type ServerMessage = { update: Update } | { text: string } | { cutText: Buffer } | undefined;

/** What is longer is left out, and what is absurd is not even waited for. */
const absurdText = 16 * longestText;
const colourBytes = 6;

/** Reads what follows the first byte, which says what it is. */
export async function readServerMessage(
  kind: number,
  framebuffer: Framebuffer,
  reader: ByteReader,
): Promise<ServerMessage> {
  const read = kinds[kind] ?? protocolViolation(`a message of the unknown kind ${kind}`);
  return read(reader, framebuffer);
}

const kinds: Record<number, (reader: ByteReader, framebuffer: Framebuffer) => Promise<ServerMessage>> = {
  0: async (reader, framebuffer) => ({ update: await readUpdate(framebuffer, reader) }),
  /** Colours of a palette, though none is used. */
  async 1(reader) {
    const count = (await reader.take(5)).readUInt16BE(3);
    await reader.skip(count * colourBytes);
    return undefined;
  },
  /** A bell. */
  2: async () => undefined,
  async 3(reader) {
    const length = (await reader.take(7)).readInt32BE(3);
    const size = Math.abs(length);
    if (size > absurdText) protocolViolation(`a text of ${size} bytes`);
    if (length < 0) return { cutText: await reader.take(size) };
    if (size <= longestText) return { text: textOf(await reader.take(size)) };
    await reader.skip(size);
    return undefined;
  },
};

/** The protocol says Latin-1, yet servers of Wayland desktops send UTF-8: what reads as that is meant so. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}
