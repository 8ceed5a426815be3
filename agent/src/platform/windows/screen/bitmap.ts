/** A bitmap in memory that receives copies of the screen. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundingBox } from '../../../pixels/boxes.ts';
import { NotPossible } from '../../platform.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { listOutputs } from './outputs.ts';

export interface ScreenBitmap {
  width: number;
  height: number;
  /** The pixels, blue first, without padding between the rows. */
  bytes: Buffer;
  /** The same as words. */
  words: Uint32Array;
  /** Copies these strips of the screen, in another thread. False if Windows refuses, as it does while its secure desktop is shown. */
  copyScreen(strips?: StripRange): Promise<boolean>;
  close(): void;
}

/** Every strip from the first one on that is so many strips further. */
export interface StripRange {
  first: number;
  every: number;
}

export const allStrips: StripRange = { first: 0, every: 1 };

/** Copying strips takes a third of the time that copying the whole screen takes. */
export const stripRows = 64;
const sourceCopy = 0x00cc_0020;
const wholeScreen = 0;

/** The part of the desktop that all monitors show. Its corner need not be at 0, 0. */
export function desktopArea(api: WindowsApi): Box {
  const outputs = listOutputs(api);
  if (outputs.length === 0) throw new NotPossible('Windows shows no desktop on this device at the moment.');
  return boundingBox(outputs);
}

export function createScreenBitmap(api: WindowsApi): ScreenBitmap {
  const { x, y, width, height } = desktopArea(api);
  using stack = new DisposableStack();
  const screen = stack.adopt(requireHandle(api.GetDC(wholeScreen)), (handle) =>
    api.ReleaseDC(wholeScreen, handle),
  );
  const context = stack.adopt(requireHandle(api.CreateCompatibleDC(screen)), api.DeleteDC);
  const address = Buffer.alloc(8);
  const header = bitmapHeader(width, height);
  const bitmap = stack.adopt(
    requireHandle(api.CreateDIBSection(context, header, 0, address, 0, 0)),
    api.DeleteObject,
  );
  const previous = api.SelectObject(context, bitmap);
  stack.defer(() => api.SelectObject(context, previous));
  const bytes = api.memory(address.readBigUInt64LE(), width * height * 4);
  const owned = stack.move();
  return {
    width,
    height,
    bytes,
    words: new Uint32Array(bytes.buffer, bytes.byteOffset, width * height),
    async copyScreen({ first, every } = allStrips) {
      for (let top = first * stripRows; top < height; top += every * stripRows) {
        const rows = Math.min(stripRows, height - top);
        if (!(await api.BitBlt.async(context, 0, top, width, rows, screen, x, y + top, sourceCopy)))
          return false;
      }
      return true;
    },
    close: () => owned.dispose(),
  };
}

function requireHandle(handle: Handle): Handle {
  if (Number(handle) === 0) throw new NotPossible('Windows has no memory for a copy of the screen.');
  return handle;
}

/** A BITMAPINFO of 32 bits for each pixel, with the top row first. */
export function bitmapHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(44);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(width, 4);
  header.writeInt32LE(-height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  return header;
}
