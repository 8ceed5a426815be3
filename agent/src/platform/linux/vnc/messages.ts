/** Encodes the messages that the agent sends to a VNC server. */
import type { DisplaySize } from '../common-sizes.ts';

/** A part of the screen, with the id that the server gave it. */
export interface ScreenPart extends DisplaySize {
  id: number;
  x: number;
  y: number;
  flags: number;
}

const bytesOf = (size: number, write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes;
};

export const encodings = {
  raw: 0,
  copy: 1,
  size: -223,
  pointer: -232,
  cursor: -239,
  screens: -308,
  /** Another encoding of the pointer position. */
  vmwarePointer: 0x574d_5666,
  /** The extended clipboard, which supports Unicode. */
  clipboard: 0xc0a1_e5ce - 2 ** 32,
} as const;

/** Shared access: clients that are already connected stay connected. */
export const clientInit = Buffer.of(1);

/** Pixels of 4 bytes, blue first. */
export const pixelFormat = Buffer.of(0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0);

export const setEncodings = bytesOf(4 + 4 * Object.keys(encodings).length, (bytes) => {
  const requested = Object.values(encodings).toReversed();
  bytes[0] = 2;
  bytes.writeUInt16BE(requested.length, 2);
  requested.forEach((encoding, index) => bytes.writeInt32BE(encoding, 4 + 4 * index));
});

/** Requests the whole screen, or what changes from now on. */
export const updateRequest = (what: 'whole' | 'changes', { width, height }: DisplaySize): Buffer =>
  bytesOf(10, (bytes) => {
    bytes.set([3, what === 'changes' ? 1 : 0]);
    bytes.writeUInt16BE(width, 6);
    bytes.writeUInt16BE(height, 8);
  });

export const keyMessage = (symbol: number, down: boolean): Buffer =>
  bytesOf(8, (bytes) => {
    bytes.set([4, down ? 1 : 0]);
    bytes.writeUInt32BE(symbol, 4);
  });

export const pointerMessage = (x: number, y: number, buttons: number): Buffer =>
  bytesOf(6, (bytes) => {
    bytes.set([5, buttons]);
    bytes.writeUInt16BE(x, 2);
    bytes.writeUInt16BE(y, 4);
  });

/** A negative length marks a message of the extended clipboard. */
export const textMessage = (text: Uint8Array, isExtended = false): Buffer =>
  bytesOf(8 + text.length, (bytes) => {
    bytes[0] = 6;
    bytes.writeInt32BE(isExtended ? -text.length : text.length, 4);
    bytes.set(text, 8);
  });

/** Requests a screen with one part that fills it. */
export const desktopSizeMessage = ({ width, height }: DisplaySize, { id, flags }: ScreenPart): Buffer =>
  bytesOf(24, (bytes) => {
    bytes[0] = 251;
    bytes.writeUInt16BE(width, 2);
    bytes.writeUInt16BE(height, 4);
    bytes[6] = 1;
    bytes.writeUInt32BE(id, 8);
    bytes.writeUInt16BE(width, 16);
    bytes.writeUInt16BE(height, 18);
    bytes.writeUInt32BE(flags, 20);
  });
