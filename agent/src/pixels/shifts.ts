/** Content that moved in any direction, as a window that is dragged: found by runs of pixels that are there once. */
import type { CopyRect } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import type { Framebuffer } from './framebuffer.ts';

/** Pixels of a run, how many runs are looked for, and how many must tell the same move. */
const [run, maxRuns, fewestVotes] = [32, 24, 4];
/** A run must change colour so often: others are everywhere. */
const fewestEdges = 6;
/** What is copied must be worth a frame. */
const smallestCopy = 4_096;

interface Run {
  x: number;
  y: number;
}

/** A copy that brings the picture nearer to the pixels; undefined where nothing is found that moved as a whole. */
export function findShift(framebuffer: Framebuffer, pixels: Pixels): CopyRect | undefined {
  const runs = chooseRuns(framebuffer, pixels);
  if (runs.size < fewestVotes) return undefined;
  const best = voted(locate(framebuffer, pixels, runs));
  if (!best) return undefined;
  const copies = best.runs.map((from) => grow(framebuffer, pixels, from, best));
  const largest = copies.toSorted((a, b) => b.width * b.height - a.width * a.height)[0]!;
  return largest.width * largest.height >= smallestCopy ? largest : undefined;
}

const factor = 0x01000193;
/** What the first pixel of a run counts for in its hash. */
const first = Array.from({ length: run - 1 }).reduce<number>((power) => Math.imul(power, factor), 1);

function hashOf(words: Uint32Array, at: number): number {
  let hash = 0;
  for (let index = at; index < at + run; index += 1) hash = (Math.imul(hash, factor) + words[index]!) | 0;
  return hash;
}

/** Runs of the new pixels, spread over them, that are not where they were; by their hash. */
function chooseRuns(framebuffer: Framebuffer, { box, words, offset, stride }: Pixels): Map<number, Run> {
  const runs = new Map<number, Run>();
  const [across, down] = [Math.max(run, Math.floor(box.width / 9)), Math.max(4, Math.floor(box.height / 13))];
  for (let y = down >> 1; y < box.height && runs.size < maxRuns; y += down)
    for (let x = (y * 7) % across; x + run <= box.width && runs.size < maxRuns; x += across) {
      const [now, before] = [offset + y * stride + x, (box.y + y) * framebuffer.width + box.x + x];
      let [edges, changed] = [0, 0];
      for (let at = 1; at < run; at += 1) {
        if (words[now + at] !== words[now + at - 1]) edges += 1;
        if (words[now + at] !== framebuffer.words[before + at]) changed += 1;
      }
      if (edges >= fewestEdges && changed > 0) runs.set(hashOf(words, now), { x: box.x + x, y: box.y + y });
    }
  return runs;
}

interface Found {
  run: Run;
  dx: number;
  dy: number;
}

/** Where the runs are in the picture as it was: a hash rolls along each of its rows. */
function locate({ words, width }: Framebuffer, { box }: Pixels, runs: ReadonlyMap<number, Run>): Found[] {
  const found: Found[] = [];
  // Most hashes are sorted out by a glance at a small table.
  const likely = new Uint8Array(65_536);
  for (const hash of runs.keys()) likely[hash >>> 16] = 1;
  for (let y = box.y; y < box.y + box.height; y += 1) {
    const row = y * width;
    let hash = hashOf(words, row + box.x);
    for (let x = box.x; ; x += 1) {
      const known = likely[hash >>> 16] === 1 ? runs.get(hash) : undefined;
      if (known) found.push({ run: known, dx: known.x - x, dy: known.y - y });
      if (x + run >= box.x + box.width) break;
      hash = (Math.imul(hash - Math.imul(words[row + x]!, first), factor) + words[row + x + run]!) | 0;
    }
  }
  return found;
}

/** The move that most runs tell. */
function voted(found: readonly Found[]): { dx: number; dy: number; runs: Run[] } | undefined {
  const moves = Map.groupBy(
    found.filter(({ dx, dy }) => dx !== 0 || dy !== 0),
    ({ dx, dy }) => `${dx} ${dy}`,
  );
  const [best] = [...moves.values()].toSorted((a, b) => b.length - a.length);
  if (!best || best.length < fewestVotes) return undefined;
  return { dx: best[0]!.dx, dy: best[0]!.dy, runs: best.map((each) => each.run) };
}

/** The box around a run that moved with it: as wide as the run's row allows, and as high as that width stays right. */
function grow(
  framebuffer: Framebuffer,
  { box, words, offset, stride }: Pixels,
  from: Run,
  { dx, dy }: { dx: number; dy: number },
): CopyRect {
  const isMoved = (x: number, y: number): boolean =>
    x >= box.x &&
    x < box.x + box.width &&
    y >= box.y &&
    y < box.y + box.height &&
    x - dx >= 0 &&
    x - dx < framebuffer.width &&
    y - dy >= 0 &&
    y - dy < framebuffer.height &&
    words[offset + (y - box.y) * stride + x - box.x] ===
      framebuffer.words[(y - dy) * framebuffer.width + x - dx];
  let [left, right] = [from.x, from.x + run];
  while (isMoved(left - 1, from.y)) left -= 1;
  while (isMoved(right, from.y)) right += 1;
  const isRowMoved = (y: number): boolean => {
    for (let x = left; x < right; x += 1) if (!isMoved(x, y)) return false;
    return true;
  };
  let [top, bottom] = [from.y, from.y + 1];
  while (isRowMoved(top - 1)) top -= 1;
  while (isRowMoved(bottom)) bottom += 1;
  return {
    x: left - dx,
    y: top - dy,
    width: right - left,
    height: bottom - top,
    toX: left,
    toY: top,
  };
}
