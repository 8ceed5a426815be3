/** Searches for content that moved, vertically or in any direction, and less often while it finds nothing, as in a film. */
import type { CopyRect } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import { findMoves, mayHaveMoved } from './moves.ts';
import type { Framebuffer } from './framebuffer.ts';
import { findShift } from './shifts.ts';

export interface MoveSearch {
  /** Returns the copies to apply, in order; empty if nothing moved. */
  find(framebuffer: Framebuffer, pixels: Pixels): CopyRect[];
}

/** After `free` searches without a result, more and more searches are skipped, up to `most` in a sequence. */
interface SkipPolicy {
  free: number;
  most: number;
}

/** Scrolling is the most common move and is found quickly. A search in all directions takes several times as long. */
const skipPolicies = { scrolls: { free: 3, most: 4 }, shifts: { free: 0, most: 60 } };

export function createMoveSearch(): MoveSearch {
  let probes = 0;
  const scrolls = withBackOff(
    findMoves,
    (framebuffer, pixels) => mayHaveMoved(framebuffer, pixels, probes++),
    skipPolicies.scrolls,
  );
  const shifts = withBackOff(
    (framebuffer, pixels) => [findShift(framebuffer, pixels) ?? []].flat(),
    () => true,
    skipPolicies.shifts,
  );
  return {
    find(framebuffer, pixels) {
      const moved = scrolls(framebuffer, pixels);
      return moved.length > 0 ? moved : shifts(framebuffer, pixels);
    },
  };
}

/** Wraps a search with exponential back-off: after too many misses it skips one call, then two, then four, and probes before it searches. */
function withBackOff(
  search: MoveSearch['find'],
  probe: (framebuffer: Framebuffer, pixels: Pixels) => boolean,
  { free, most }: SkipPolicy,
): MoveSearch['find'] {
  let [skips, misses] = [0, 0];
  return (framebuffer, pixels) => {
    if (skips > 0) {
      skips -= 1;
      return [];
    }
    const isPlausible = misses <= free || probe(framebuffer, pixels);
    const found = isPlausible ? search(framebuffer, pixels) : [];
    misses = found.length > 0 ? 0 : misses + 1;
    skips = misses > free ? Math.min(2 ** (misses - free - 1), most) : 0;
    return found;
  };
}
