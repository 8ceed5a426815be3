/** The encoding of Wayland messages: words of 32 bits, texts with their length, fixed-point numbers. */

/** Numbers are sent as words, null as no object, and files beside the message. */
export type WireValue = number | string | { fd: number } | null;

/** Distances on the screen, with 8 bits after the point. */
export const toFixed = (value: number): number => Math.round(value * 256);

const headBytes = 8;
const padded = (length: number): number => Math.ceil(length / 4) * 4;

export function encodeRequest(object: number, opcode: number, values: readonly WireValue[]): Buffer {
  const body = Buffer.concat(values.map(encodeValue));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(object);
  head.writeUInt32LE((((headBytes + body.length) << 16) | opcode) >>> 0, 4);
  return Buffer.concat([head, body]);
}

function encodeValue(value: WireValue): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(`${value}\0`);
    const bytes = Buffer.alloc(4 + padded(text.length));
    bytes.writeUInt32LE(text.length);
    text.copy(bytes, 4);
    return bytes;
  }
  if (typeof value === 'object' && value) return Buffer.alloc(0);
  const word = Buffer.alloc(4);
  word.writeUInt32LE((value ?? 0) >>> 0);
  return word;
}

/** Reads the values of an event, in order. */
export interface WireReader {
  uint(): number;
  int(): number;
  fixed(): number;
  text(): string;
  /** A file descriptor, which the reader must close. */
  fd(): number;
}

interface WireEvent {
  object: number;
  opcode: number;
  body: Buffer;
}

/** Splits received bytes into whole events; the rest belongs to the next one. */
export function splitEvents(bytes: Buffer): { events: WireEvent[]; rest: Buffer } {
  const events: WireEvent[] = [];
  let at = 0;
  while (bytes.length - at >= headBytes) {
    const word = bytes.readUInt32LE(at + 4);
    const size = Math.max(headBytes, word >>> 16);
    if (bytes.length - at < size) break;
    const body = bytes.subarray(at + headBytes, at + size);
    events.push({ object: bytes.readUInt32LE(at), opcode: word & 0xffff, body });
    at += size;
  }
  return { events, rest: bytes.subarray(at) };
}

export function createWireReader(body: Buffer, takeFd: () => number): WireReader {
  let at = 0;
  const next = (length: number): number => (at += length) - length;
  return {
    uint: () => body.readUInt32LE(next(4)),
    int: () => body.readInt32LE(next(4)),
    fixed: () => body.readInt32LE(next(4)) / 256,
    text() {
      const length = body.readUInt32LE(next(4));
      const start = next(padded(length));
      return body.toString('utf8', start, start + Math.max(0, length - 1));
    },
    fd: takeFd,
  };
}
