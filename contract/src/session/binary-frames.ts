/** Binary frames other than the screen: acknowledgements, mouse and keyboard, chunks of terminals, files, printed documents and calls. */
import { safeDecoder, writeUint16s, dataViewOf, type Bytes } from './binary.ts';

export interface PointerInput {
  x: number;
  y: number;
  /** The buttons that are pressed: bit 0 left, 1 middle, 2 right, 3 back, 4 forward. */
  buttons: number;
}

export interface WheelInput {
  x: number;
  y: number;
  /** Notches of the wheel times 120; down and right are positive. */
  deltaX: number;
  deltaY: number;
}

export interface KeyInput {
  down: boolean;
  /** The physical key, as in KeyboardEvent.code. */
  code: string;
  /** The character or key name in the operator's layout, as in KeyboardEvent.key. */
  key: string;
}

/** A chunk of a terminal's stream, of a file, of a printed document, of a call or of sound. `at` is its offset in the stream, where that matters. */
export interface DataChunk {
  id: number;
  at: number;
  data: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export function encodeNumber(number: number): Bytes {
  const bytes = new Uint8Array(4);
  dataViewOf(bytes).setUint32(0, number);
  return bytes;
}

/** The payload of `shown`, `ping` and `pong`. */
export const decodeNumber = safeDecoder((view) => view.getUint32(0));

export function encodePointer({ x, y, buttons }: PointerInput): Bytes {
  const bytes = new Uint8Array(5);
  writeUint16s(dataViewOf(bytes), 0, [x, y]);
  bytes[4] = buttons;
  return bytes;
}

export const decodePointer = safeDecoder((view): PointerInput => ({
  x: view.getUint16(0),
  y: view.getUint16(2),
  buttons: view.getUint8(4) & 0x1f,
}));

export function encodeWheel({ x, y, deltaX, deltaY }: WheelInput): Bytes {
  const bytes = new Uint8Array(8);
  const view = dataViewOf(bytes);
  writeUint16s(view, 0, [x, y]);
  view.setInt16(4, deltaX);
  view.setInt16(6, deltaY);
  return bytes;
}

export const decodeWheel = safeDecoder((view): WheelInput => ({
  x: view.getUint16(0),
  y: view.getUint16(2),
  deltaX: view.getInt16(4),
  deltaY: view.getInt16(6),
}));

const maxKeyNameBytes = 32;

export function encodeKey({ down, code, key }: KeyInput): Bytes {
  const name = encoder.encode(code);
  const value = encoder.encode(key);
  const bytes = new Uint8Array(2 + name.length + value.length);
  bytes.set([down ? 1 : 0, name.length]);
  bytes.set(name, 2);
  bytes.set(value, 2 + name.length);
  return bytes;
}

export const decodeKey = safeDecoder((view, bytes): KeyInput | undefined => {
  const length = view.getUint8(1);
  const rest = bytes.length - 2 - length;
  if (rest < 0 || length > maxKeyNameBytes || rest > maxKeyNameBytes) return undefined;
  return {
    down: view.getUint8(0) === 1,
    code: decoder.decode(bytes.subarray(2, 2 + length)),
    key: decoder.decode(bytes.subarray(2 + length)),
  };
});

const chunkHeaderBytes = 12;
/** Limit for files and terminals; larger data is sent in several chunks. */
export const maxDataChunkBytes = 256 * 1_024;

export function encodeDataChunk(chunk: DataChunk): Bytes {
  const bytes = new Uint8Array(chunkHeaderBytes + chunk.data.length);
  writeChunkHeader(bytes, chunk);
  bytes.set(chunk.data, chunkHeaderBytes);
  return bytes;
}

/** What precedes the data in a chunk. */
export function encodeChunkHeader(chunk: Omit<DataChunk, 'data'>): Bytes {
  const bytes = new Uint8Array(chunkHeaderBytes);
  writeChunkHeader(bytes, chunk);
  return bytes;
}

function writeChunkHeader(bytes: Bytes, { id, at }: Omit<DataChunk, 'data'>): void {
  const view = dataViewOf(bytes);
  view.setUint32(0, id);
  view.setBigUint64(4, BigInt(at));
}

export const decodeDataChunk = safeDecoder((view, bytes): DataChunk | undefined => {
  const at = view.getBigUint64(4);
  if (at > BigInt(Number.MAX_SAFE_INTEGER) || bytes.length - chunkHeaderBytes > maxDataChunkBytes)
    return undefined;
  return { id: view.getUint32(0), at: Number(at), data: bytes.subarray(chunkHeaderBytes) };
});
