/** Finds what has changed in newly captured pixels: what moved becomes copies, and the rest boxes that differ. */
import type { Box, CopyRect } from '@drawbridge/contract/session/screen-frames';
import { boxArea } from '../pixels/boxes.ts';
import { fewChangedRows, findDifferences } from '../pixels/find-differences.ts';
import { copyRect, type Framebuffer } from '../pixels/framebuffer.ts';
import type { LossyBlocks } from '../pixels/lossy-blocks.ts';
import type { MoveSearch } from '../pixels/move-search.ts';
import type { Pixels } from '../platform/desktop.ts';

/**
 * Moved content is searched for in boxes of at least this many pixels, in which at least this many rows have changed.
 * Less has not scrolled, even in a box that some compositors report around a letter below and a clock above.
 */
const [minMovedArea, minMovedHeight] = [32 * 1_024, 48];

interface ChangeState {
  framebuffer: Framebuffer;
  lossyBlocks: LossyBlocks;
  moves: MoveSearch;
}

/** Applies moved content to the framebuffer, adds it to `copies` and returns the boxes that still differ. */
export function findChanges(
  { framebuffer, lossyBlocks, moves }: ChangeState,
  pixels: Pixels,
  copies: CopyRect[],
  now: number,
): Box[] {
  if (boxArea(pixels.box) < minMovedArea) return findDifferences(framebuffer, pixels);
  const few = fewChangedRows(framebuffer, pixels, minMovedHeight);
  if (few) return findDifferences(framebuffer, pixels, few);
  for (const copy of moves.find(framebuffer, pixels)) {
    copyRect(framebuffer, copy);
    lossyBlocks.copy(copy, now);
    copies.push(copy);
  }
  return findDifferences(framebuffer, pixels);
}
