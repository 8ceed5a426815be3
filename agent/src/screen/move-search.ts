/** Looks for content that moved: up and down each time, elsewhere less and less often while that finds nothing. */
import type { Copy } from '@drawbridge/contract/session/pictures';
import type { Pixels } from '../platform/desktop.ts';
import { findMoves } from './moves.ts';
import type { Picture } from './picture.ts';
import { findShift } from './shifts.ts';

export interface MoveSearch {
  /** Copies to be made in this order; none where nothing moved. */
  find(picture: Picture, pixels: Pixels): Copy[];
}

/** Looking in all directions is left out so many times at most: a film would cost as much again as it does. */
const mostLeftOut = 30;

export function createMoveSearch(): MoveSearch {
  let [leaveOut, next] = [0, 1];
  return {
    find(picture, pixels) {
      const moves = findMoves(picture, pixels);
      if (moves.length > 0) return moves;
      if (leaveOut > 0) {
        leaveOut -= 1;
        return [];
      }
      const shift = findShift(picture, pixels);
      [leaveOut, next] = shift ? [0, 1] : [next, Math.min(next * 2, mostLeftOut)];
      return shift ? [shift] : [];
    },
  };
}
