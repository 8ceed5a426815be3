/** Reads the messages of a VNC server: screen updates, clipboard texts, and kinds that the agent ignores. */
import type { Framebuffer } from '../../../pixels/framebuffer.ts';
import { longestText } from './cut-text.ts';
import { protocolViolation } from './protocol-violation.ts';
import type { ByteReader } from './byte-reader.ts';
import { readUpdate, type Update } from './update.ts';

/** `cutText`: a message of the extended clipboard. */
export type ServerMessage = { update: Update } | { text: string } | { cutText: Buffer } | undefined;

/** Texts above `longestText` are skipped; above this limit the connection is closed. */
const maxTextBytes = 16 * longestText;
const colourBytes = 6;

/** Reads the rest of a message after its first byte, the kind. */
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
  /** Colours of a palette, which is not used. */
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
    if (size > maxTextBytes) protocolViolation(`a text of ${size} bytes`);
    if (length < 0) return { cutText: await reader.take(size) };
    if (size <= longestText) return { text: textOf(await reader.take(size)) };
    await reader.skip(size);
    return undefined;
  },
};

/** The protocol requires Latin-1, but servers of Wayland desktops send UTF-8, so valid UTF-8 is decoded as such. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}
