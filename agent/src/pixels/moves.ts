/** Content that moved up or down, as when somebody scrolls: found by hashes of rows, strip by strip. */
import type { Box, CopyRect } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import type { Framebuffer } from './framebuffer.ts';

/** Strips are judged each by itself, so that a scroll bar that stands still does not hide what moves beside it. */
const strip = 64;
/** Every so manieth pixel counts: what a hash overlooks is found when the result is compared. */
const sample = 3;
/** A move must explain so many rows that are there once, and this part of the rows that changed in a strip. */
const [fewestVotes, fewestExplained] = [16, 0.5];

interface Strip {
  x: number;
  width: number;
  now: Int32Array;
  before: Int32Array;
}

/** Copies that bring the picture nearer to the pixels; none where nothing moved. */
export function findMoves(framebuffer: Framebuffer, pixels: Pixels): CopyRect[] {
  const strips = stripsOf(framebuffer, pixels);
  const distance = votedDistance(strips);
  if (distance === 0) return [];
  return joined(
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

function stripsOf(framebuffer: Framebuffer, { box, words, offset, stride }: Pixels): Strip[] {
  const { width, height } = box;
  const from = box.y * framebuffer.width + box.x;
  const now = hashRows(words, { from: offset, stride, width, height });
  const before = hashRows(framebuffer.words, { from, stride: framebuffer.width, width, height });
  return now.map((hashes, index) => ({
    x: box.x + index * strip,
    width: Math.min(strip, width - index * strip),
    now: hashes,
    before: before[index]!,
  }));
}

/**
 * Hashes of all rows, strip by strip, by the method of Fowler, Noll and Vo. It goes through the pixels in the order in
 * which they lie in memory: strip after strip would take far longer.
 */
function hashRows(
  words: Uint32Array,
  { from, stride, width, height }: { from: number; stride: number; width: number; height: number },
): Int32Array[] {
  const strips = Array.from({ length: Math.ceil(width / strip) }, () => new Int32Array(height));
  for (let row = 0; row < height; row += 1) {
    const start = from + row * stride;
    for (let index = 0; index < strips.length; index += 1) {
      const end = start + Math.min(width, (index + 1) * strip);
      let hash = 0x811c9dc5 | 0;
      for (let at = start + index * strip; at < end; at += sample)
        hash = Math.imul(hash ^ words[at]!, 0x01000193);
      strips[index]![row] = hash;
    }
  }
  return strips;
}

/** How far down most rows went that were there once; 0 when too few agree, or as many stood still. */
function votedDistance(strips: readonly Strip[]): number {
  const votes = new Map<number, number>();
  for (const { now, before } of strips) {
    const rows = onlyOnes(before);
    for (let row = 0; row < now.length; row += 1) {
      const was = rows.get(now[row]!);
      if (was !== undefined && was >= 0) votes.set(row - was, (votes.get(row - was) ?? 0) + 1);
    }
  }
  const still = votes.get(0) ?? 0;
  votes.delete(0);
  let [best, most] = [0, Math.max(fewestVotes - 1, still / 4)];
  for (const [distance, count] of votes) if (count > most) [best, most] = [distance, count];
  return best;
}

/** Each hash with its row; -1 for those that stand for several, such as that of empty rows. */
function onlyOnes(hashes: Int32Array): Map<number, number> {
  const rows = new Map<number, number>();
  hashes.forEach((hash, row) => rows.set(hash, rows.has(hash) ? -1 : row));
  return rows;
}

interface Range {
  from: number;
  end: number;
}

/** The rows of a strip that the move puts right, from the first to the last; undefined when it puts too little right. */
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
  return explained > 0 && explained >= changed * fewestExplained ? { from, end } : undefined;
}

/** Neighbours that moved alike become one. */
function joined(
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
