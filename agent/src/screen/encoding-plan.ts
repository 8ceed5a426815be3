/** Which changes are sent exactly and which lossily. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boxArea, totalArea } from '../pixels/boxes.ts';
import type { Framebuffer } from '../pixels/framebuffer.ts';

export interface EncodingPlan {
  exact: Box[];
  /** Exactly if a palette holds their colours, else lossily. */
  flat: Box[];
  lossy: Box[];
}

/** Boxes up to this size stay exact while others around them move. */
const smallBox = 16 * 1_024;
/** Larger boxes are not looked at: packing them exactly would take too long. */
const largestFlat = 2_304 * 1_024;
/** Of so many pixels looked at, at most so many colours: writing and drawn surfaces, no photograph. */
const [samples, maxColours] = [1_024, 64];

/** `exact`: so many pixels in all may be sent exactly, whatever they show. */
export function planEncoding(framebuffer: Framebuffer, boxes: readonly Box[], exact: number): EncodingPlan {
  if (totalArea(boxes) <= exact) return { exact: [...boxes], flat: [], lossy: [] };
  const small = boxes.filter((box) => boxArea(box) <= smallBox);
  const large = boxes.filter((box) => boxArea(box) > smallBox);
  const areSmallExact = totalArea(small) <= exact;
  const rest = areSmallExact ? large : boxes;
  return {
    exact: areSmallExact ? small : [],
    flat: rest.filter((box) => isFlat(framebuffer, box)),
    lossy: rest.filter((box) => !isFlat(framebuffer, box)),
  };
}

/** Looks at pixels spread over the box. */
function isFlat({ words, width: stride }: Framebuffer, { x, y, width, height }: Box): boolean {
  const pixels = width * height;
  if (pixels > largestFlat) return false;
  const colours = new Set<number>();
  // A step that shares no divisor with usual widths, so that no column is looked at again and again.
  const step = Math.max(1, Math.floor(pixels / samples)) | 1;
  for (let at = 0; at < pixels; at += step) {
    colours.add(words[(y + Math.floor(at / width)) * stride + x + (at % width)]! & 0xffffff);
    if (colours.size > maxColours) return false;
  }
  return true;
}
