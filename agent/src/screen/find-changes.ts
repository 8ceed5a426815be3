/** Finds what has changed in newly captured pixels: what moved becomes copies, and the rest boxes that differ. */
import type { Box, CopyRect } from '@drawbridge/contract/session/screen-frames';
import { boxArea } from '../pixels/boxes.ts';
import { findDifferences } from '../pixels/find-differences.ts';
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
  const found = findDifferences(framebuffer, pixels);
  if (boxArea(pixels.box) < minMovedArea || rowsOf(found) < minMovedHeight) return found;
  const moved = moves.find(framebuffer, pixels);
  for (const copy of moved) {
    copyRect(framebuffer, copy);
    lossyBlocks.copy(copy, now);
    copies.push(copy);
  }
  return moved.length > 0 ? findDifferences(framebuffer, pixels) : found;
}

/** In how many rows something differs. Differences beside each other have the same rows. */
const rowsOf = (differences: readonly Box[]): number =>
  new Map(differences.map(({ y, height }) => [y, height])).values().reduce((sum, height) => sum + height, 0);
