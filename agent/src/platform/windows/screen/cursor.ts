/** The pointer: its position and shape, queried several times a second because Windows does not report changes. */
import type { Capture, CursorShape } from '../../desktop.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { bitmapHeader, desktopArea } from './bitmap.ts';
import { cursorPicture } from './cursor-shape.ts';

/** How often it is queried, and when it was the same for so many times. */
const [everyMs, idleMs, idleAfter] = [33, 100, 60];
/** Offsets in CURSORINFO. */
const info = { bytes: 24, flags: 4, cursor: 8, x: 16, y: 20 } as const;
const isShowing = 1;
/** Offsets in ICONINFO. */
const icon = { bytes: 32, hotX: 4, hotY: 8, mask: 16, colours: 24 } as const;
/** Offsets in BITMAP. */
const bitmapSize = { bytes: 32, width: 4, height: 8 } as const;
const maxSide = 512;

const hidden: CursorShape = { width: 1, height: 1, hotX: 0, hotY: 0, rgba: new Uint8Array(4) };

/** Calls the listener with shape and position, and then with each change; the returned function unsubscribes. */
export function watchCursor(api: WindowsApi, listener: Parameters<Capture['onCursor']>[0]): () => void {
  const { x: left, y: top } = desktopArea(api);
  let [lastX, lastY, lastCursor]: [number, number, bigint] = [-1, -1, -1n];
  let [equal, timer]: [number, NodeJS.Timeout | undefined] = [0, undefined];
  const look = (): void => {
    const bytes = Buffer.alloc(info.bytes);
    bytes.writeUInt32LE(info.bytes);
    if (!api.GetCursorInfo(bytes)) return;
    const [x, y] = [bytes.readInt32LE(info.x) - left, bytes.readInt32LE(info.y) - top];
    const cursor =
      (bytes.readUInt32LE(info.flags) & isShowing) !== 0 ? bytes.readBigUInt64LE(info.cursor) : 0n;
    equal = cursor === lastCursor && x === lastX && y === lastY ? equal + 1 : 0;
    if (cursor !== lastCursor) listener({ x, y, shape: cursor ? visibleShape(api, cursor) : hidden });
    else if (x !== lastX || y !== lastY) listener({ x, y });
    [lastX, lastY, lastCursor] = [x, y, cursor];
  };
  const follow = (): void => {
    timer = setTimeout(follow, equal < idleAfter ? everyMs : idleMs);
    look();
  };
  follow();
  return () => clearTimeout(timer);
}

const arrow = 32_512;

/** Wine does not show the cursors of other programs, so there the pointer is always an arrow. */
const visibleShape = (api: WindowsApi, cursor: Handle): CursorShape =>
  shapeOf(api, cursor) ?? shapeOf(api, api.LoadCursorW(0, arrow)) ?? hidden;

/** Undefined if the cursor no longer exists. */
function shapeOf(api: WindowsApi, cursor: Handle): CursorShape | undefined {
  const bytes = Buffer.alloc(icon.bytes);
  if (!api.GetIconInfo(cursor, bytes)) return undefined;
  const [mask, colours] = [bytes.readBigUInt64LE(icon.mask), bytes.readBigUInt64LE(icon.colours)];
  try {
    const { width, height: maskHeight } = sizeOf(api, mask);
    const height = colours === 0n ? maskHeight / 2 : maskHeight;
    if (width < 1 || height < 1 || width > maxSide || height > maxSide) return undefined;
    const rgba = cursorPicture({
      width,
      height,
      mask: readBitmap(api, mask, width, maskHeight),
      colours: colours === 0n ? undefined : readBitmap(api, colours, width, height),
    });
    const [hotX, hotY] = [bytes.readUInt32LE(icon.hotX), bytes.readUInt32LE(icon.hotY)];
    return { width, height, hotX, hotY, rgba };
  } finally {
    api.DeleteObject(mask);
    if (colours !== 0n) api.DeleteObject(colours);
  }
}

function sizeOf(api: WindowsApi, bitmap: Handle): { width: number; height: number } {
  const bytes = Buffer.alloc(bitmapSize.bytes);
  api.GetObjectW(bitmap, bytes.length, bytes);
  return { width: bytes.readInt32LE(bitmapSize.width), height: bytes.readInt32LE(bitmapSize.height) };
}

function readBitmap(api: WindowsApi, bitmap: Handle, width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 4);
  const screen = api.GetDC(0);
  api.GetDIBits(screen, bitmap, 0, height, pixels, bitmapHeader(width, height), 0);
  api.ReleaseDC(0, screen);
  return pixels;
}
