/** Looks for content that moved, up and down or in any direction: less and less often while that finds nothing, as in a film. */
import type { CopyRect } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import { findMoves } from './moves.ts';
import type { Framebuffer } from './framebuffer.ts';
import { findShift } from './shifts.ts';

export interface MoveSearch {
  /** Copies to be made in this order; none where nothing moved. */
  find(framebuffer: Framebuffer, pixels: Pixels): CopyRect[];
}

/** So many searches in vain cost nothing; then more and more are left out, up to so many. */
interface SkipPolicy {
  free: number;
  most: number;
}

/** Scrolling is what happens most and is found quickly; looking in all directions takes several times as long. */
const skipPolicies = { scrolls: { free: 3, most: 4 }, shifts: { free: 0, most: 30 } };

export function createMoveSearch(): MoveSearch {
  const scrolls = withBackOff(findMoves, skipPolicies.scrolls);
  const shifts = withBackOff(
    (framebuffer, pixels) => [findShift(framebuffer, pixels) ?? []].flat(),
    skipPolicies.shifts,
  );
  return {
    find(framebuffer, pixels) {
      const moved = scrolls(framebuffer, pixels);
      return moved.length > 0 ? moved : shifts(framebuffer, pixels);
    },
  };
}

/** The same search, left out once after it was in vain too often, then twice, four times. */
function withBackOff(search: MoveSearch['find'], { free, most }: SkipPolicy): MoveSearch['find'] {
  let [skips, misses] = [0, 0];
  return (framebuffer, pixels) => {
    if (skips > 0) {
      skips -= 1;
      return [];
    }
    const found = search(framebuffer, pixels);
    misses = found.length > 0 ? 0 : misses + 1;
    skips = misses > free ? Math.min(2 ** (misses - free - 1), most) : 0;
    return found;
  };
}
