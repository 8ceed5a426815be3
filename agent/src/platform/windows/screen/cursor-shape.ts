/** Converts the bitmaps of a Windows cursor to a picture with transparency. */
import type { CursorShape } from '../../desktop.ts';

/** The bitmaps with 4 bytes for each pixel, blue first. */
export interface CursorBitmaps {
  width: number;
  /** The height of the cursor; a cursor without colours has a mask of twice this height. */
  height: number;
  /** White where the screen stays visible. Without colours, the lower half says where it is inverted. */
  mask: Uint8Array;
  colours: Uint8Array | undefined;
}

type Rgba = readonly [number, number, number, number];

const transparent: Rgba = [0, 0, 0, 0];

export function cursorPicture({ width, height, mask, colours }: CursorBitmaps): CursorShape['rgba'] {
  const rgba = new Uint8Array(width * height * 4);
  const hasAlpha = colours?.some((value, index) => index % 4 === 3 && value !== 0) ?? false;
  const pixelAt = (at: number): Rgba => {
    if (!colours) return withoutColours(mask[at] !== 0, mask[at + width * height * 4] !== 0);
    if (hasAlpha) return premultiplied(colours, at);
    return mask[at] === 0 ? [colours[at + 2]!, colours[at + 1]!, colours[at]!, 255] : transparent;
  };
  for (let at = 0; at < rgba.length; at += 4) rgba.set(pixelAt(at), at);
  return rgba;
}

/** Where Windows inverts the screen, which a picture cannot do, the cursor is black. */
function withoutColours(isScreenKept: boolean, isLight: boolean): Rgba {
  if (isScreenKept) return isLight ? [0, 0, 0, 255] : transparent;
  return isLight ? [255, 255, 255, 255] : [0, 0, 0, 255];
}

function premultiplied(colours: Uint8Array, at: number): Rgba {
  const alpha = colours[at + 3]!;
  const scaled = (offset: number): number => Math.round((colours[at + offset]! * alpha) / 255);
  return [scaled(2), scaled(1), scaled(0), alpha];
}
