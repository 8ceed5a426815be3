/** Decides which changes are sent exactly and which lossily. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boxArea, totalArea } from '../pixels/boxes.ts';
import type { Framebuffer } from '../pixels/framebuffer.ts';

export interface EncodingPlan {
  exact: Box[];
  /** Sent exactly if their colours fit into a palette, otherwise lossily. */
  flat: Box[];
  lossy: Box[];
}

/** Boxes of up to this many pixels stay exact while larger ones around them change. */
const smallBox = 16 * 1_024;
export const isSmallBox = (box: Box): boolean => boxArea(box) <= smallBox;
/** Larger boxes are not sampled, because encoding them exactly would take too long. */
const largestFlat = 2_304 * 1_024;
/** A box is flat (text or user interface, not a photograph) if this many samples have at most this many colours. */
const [samples, maxColours] = [1_024, 64];

/** `maxExact`: how many pixels in total may be sent exactly, whatever they show. */
export function planEncoding(
  framebuffer: Framebuffer,
  boxes: readonly Box[],
  maxExact: number,
): EncodingPlan {
  if (totalArea(boxes) <= maxExact) return { exact: [...boxes], flat: [], lossy: [] };
  const small = boxes.filter(isSmallBox);
  const large = boxes.filter((box) => !isSmallBox(box));
  const areSmallExact = totalArea(small) <= maxExact;
  const rest = areSmallExact ? large : boxes;
  return {
    exact: areSmallExact ? small : [],
    flat: rest.filter((box) => isFlat(framebuffer, box)),
    lossy: rest.filter((box) => !isFlat(framebuffer, box)),
  };
}

/** Samples pixels spread over the box. */
function isFlat({ words, width: stride }: Framebuffer, { x, y, width, height }: Box): boolean {
  const pixels = width * height;
  if (pixels > largestFlat) return false;
  const colours = new Set<number>();
  // An odd step shares no factor of two with common widths, so that the samples do not all fall into the same columns.
  const step = Math.max(1, Math.floor(pixels / samples)) | 1;
  for (let at = 0; at < pixels; at += step) {
    colours.add(words[(y + Math.floor(at / width)) * stride + x + (at % width)]! & 0xffffff);
    if (colours.size > maxColours) return false;
  }
  return true;
}
