/** Finds content that moved up or down, as in scrolling, by comparing hashes of rows in vertical strips. */
import type { Box, CopyRect } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import type { Framebuffer } from './framebuffer.ts';

/** Each strip is searched separately, so that a static scroll bar does not hide the content that moves beside it. */
const stripWidth = 64;
/** Only every third pixel is hashed. The later search for differences finds what the hash misses. */
const sampleStep = 3;
/** A probe looks at one of this many parts of the width. */
const probeParts = 4;
/** A move needs this many votes of unique rows, and must explain this share of the changed rows in a strip. */
const [minVotes, minExplained] = [16, 0.5];

interface Strip {
  x: number;
  width: number;
  now: Int32Array;
  before: Int32Array;
}

/** Returns copies that bring the framebuffer closer to the pixels; empty if nothing moved. */
export function findMoves(framebuffer: Framebuffer, pixels: Pixels): CopyRect[] {
  const strips = stripsOf(framebuffer, pixels);
  const distance = votedDistance(strips);
  if (distance === 0) return [];
  return joinStrips(
    strips,
    strips.map((each) => explainedRows(each, distance)),
  ).map(({ x, width, from, end }): CopyRect => ({
    x,
    y: pixels.box.y + from - distance,
    width,
    height: end - from,
    toX: x,
    toY: pixels.box.y + from,
  }));
}

/** Whether `findMoves` may find something, judged by a part of the width: another part for each number, in turn. */
export function mayHaveMoved(framebuffer: Framebuffer, pixels: Pixels, number: number): boolean {
  const { box, offset } = pixels;
  const partWidth = Math.ceil(box.width / stripWidth / probeParts) * stripWidth;
  const left = (number % Math.ceil(box.width / partWidth)) * partWidth;
  const width = Math.min(partWidth, box.width - left);
  const part = { ...pixels, box: { ...box, x: box.x + left, width }, offset: offset + left };
  return votedDistance(stripsOf(framebuffer, part)) !== 0;
}

function stripsOf(framebuffer: Framebuffer, { box, words, offset, stride }: Pixels): Strip[] {
  const { width, height } = box;
  const from = box.y * framebuffer.width + box.x;
  const now = hashRows(words, { from: offset, stride, width, height });
  const before = hashRows(framebuffer.words, { from, stride: framebuffer.width, width, height });
  return now.map((hashes, index) => ({
    x: box.x + index * stripWidth,
    width: Math.min(stripWidth, width - index * stripWidth),
    now: hashes,
    before: before[index]!,
  }));
}

/**
 * Returns FNV-1a style hashes of all rows, strip by strip. The loop follows the order of the pixels in memory, because
 * hashing one strip after the other would take much longer.
 */
function hashRows(
  words: Uint32Array,
  { from, stride, width, height }: { from: number; stride: number; width: number; height: number },
): Int32Array[] {
  const strips = Array.from({ length: Math.ceil(width / stripWidth) }, () => new Int32Array(height));
  for (let row = 0; row < height; row += 1) {
    const start = from + row * stride;
    for (let index = 0; index < strips.length; index += 1) {
      const end = start + Math.min(width, (index + 1) * stripWidth);
      let hash = 0x811c9dc5 | 0;
      for (let at = start + index * stripWidth; at < end; at += sampleStep)
        hash = Math.imul(hash ^ words[at]!, 0x01000193);
      strips[index]![row] = hash;
    }
  }
  return strips;
}

/** Returns how far down most of the unique rows moved; 0 if too few agree, or too many did not move. */
function votedDistance(strips: readonly Strip[]): number {
  const height = strips[0]!.now.length;
  /** Votes for each distance, from -height on. */
  const votes = new Int32Array(2 * height);
  const rows = createRowIndex(height);
  for (const { now, before } of strips) {
    rows.set(before);
    for (let row = 0; row < height; row += 1) {
      const was = rows.find(now[row]!);
      if (was >= 0) votes[height + row - was]! += 1;
    }
  }
  const still = votes[height]!;
  votes[height] = 0;
  let [best, most] = [0, Math.max(minVotes - 1, still / 4)];
  votes.forEach((count, at) => {
    if (count > most) [best, most] = [at - height, count];
  });
  return best;
}

interface RowIndex {
  set(hashes: Int32Array): void;
  /** Returns the row with this hash; -1 if there is none or if several rows share it, such as empty ones. */
  find(hash: number): number;
}

/** A hash table in typed arrays, which is several times as fast as a map. */
function createRowIndex(height: number): RowIndex {
  const mask = 2 ** Math.ceil(Math.log2(2 * height)) - 1;
  /** 0 if empty, otherwise the row plus 1, negative if several rows share its hash. */
  const slots = new Int32Array(mask + 1);
  let known: Int32Array;
  const slotOf = (hash: number): number => {
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot] !== 0 && known[Math.abs(slots[slot]!) - 1] !== hash) slot = (slot + 1) & mask;
    return slot;
  };
  return {
    set(hashes) {
      known = hashes;
      slots.fill(0);
      for (let row = 0; row < hashes.length; row += 1) {
        const slot = slotOf(hashes[row]!);
        slots[slot] = slots[slot] === 0 ? row + 1 : -Math.abs(slots[slot]!);
      }
    },
    find: (hash) => Math.max(slots[slotOf(hash)]!, 0) - 1,
  };
}

interface Range {
  from: number;
  end: number;
}

/** Returns the range of rows in a strip that the move explains; undefined if it explains too few. */
function explainedRows({ now, before }: Strip, distance: number): Range | undefined {
  let [changed, explained, from, end] = [0, 0, -1, -1];
  for (let row = 0; row < now.length; row += 1) {
    const isChanged = now[row] !== before[row];
    if (isChanged) changed += 1;
    const was = row - distance;
    if (was < 0 || was >= before.length || now[row] !== before[was]) continue;
    if (!isChanged) continue;
    explained += 1;
    if (from < 0) from = row;
    end = row + 1;
  }
  return explained > 0 && explained >= changed * minExplained ? { from, end } : undefined;
}

/** Joins neighbouring strips that moved into one range. */
function joinStrips(
  strips: readonly Strip[],
  ranges: readonly (Range | undefined)[],
): (Range & Pick<Box, 'x' | 'width'>)[] {
  const found: (Range & Pick<Box, 'x' | 'width'>)[] = [];
  let open: (Range & Pick<Box, 'x' | 'width'>) | undefined;
  strips.forEach(({ x, width }, index) => {
    const range = ranges[index];
    if (!range) open = undefined;
    else if (open) {
      open.width += width;
      open.from = Math.min(open.from, range.from);
      open.end = Math.max(open.end, range.end);
    } else found.push((open = { x, width, ...range }));
  });
  return found;
}
