/** What the agent says to a VNC server, each message as its bytes. */
import type { DisplaySize } from '../common-sizes.ts';

/** A part of the screen, as the server numbers them. */
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
  /** Another way to tell where the pointer is. */
  vmwarePointer: 0x574d_5666,
  /** Clipboards in any script. */
  clipboard: 0xc0a1_e5ce - 2 ** 32,
} as const;

/** Others may look on: nobody who is connected already is sent away. */
export const clientInit = Buffer.of(1);

/** Pixels of 4 bytes, blue first. */
export const pixelFormat = Buffer.of(0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0);

export const setEncodings = bytesOf(4 + 4 * Object.keys(encodings).length, (bytes) => {
  const wished = Object.values(encodings).toReversed();
  bytes[0] = 2;
  bytes.writeUInt16BE(wished.length, 2);
  wished.forEach((encoding, index) => bytes.writeInt32BE(encoding, 4 + 4 * index));
});

/** Asks for all of the screen, or for what changes from now on. */
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

/** A length below zero says that it is more than a text. */
export const textMessage = (text: Uint8Array, isMore = false): Buffer =>
  bytesOf(8 + text.length, (bytes) => {
    bytes[0] = 6;
    bytes.writeInt32BE(isMore ? -text.length : text.length, 4);
    bytes.set(text, 8);
  });

/** One part that fills all of the screen. */
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
