/** Finds content that moved in any direction, such as a dragged window, by searching for distinctive runs of pixels. */
import type { CopyRect } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import type { Framebuffer } from './framebuffer.ts';

/** The length of a run in pixels, at how many places runs are searched for, and how many must agree on a move. */
const [runLength, maxPlaces, minVotes] = [32, 24, 4];
/** Each place has runs in this many rows, so that it is enough to search in every so manyth row of the framebuffer. */
const rowStep = 8;
/** A run must change colour this often, because runs of few colours occur everywhere. */
const minEdges = 6;
/** Smaller copies, in pixels, are not worth a frame. */
const minCopyArea = 4_096;

interface Run {
  x: number;
  y: number;
}

/** Returns a copy that brings the framebuffer closer to the pixels; undefined if no content moved as a whole. */
export function findShift(framebuffer: Framebuffer, pixels: Pixels): CopyRect | undefined {
  const runs = chooseRuns(framebuffer, pixels);
  if (runs.size < minVotes) return undefined;
  const best = voteForMove(locate(framebuffer, pixels, runs));
  if (!best) return undefined;
  const copies = best.runs.map((from) => grow(framebuffer, pixels, from, best));
  const largest = copies.toSorted((a, b) => b.width * b.height - a.width * a.height)[0]!;
  return largest.width * largest.height >= minCopyArea ? largest : undefined;
}

const factor = 0x01000193;
/** The weight of the first pixel of a run in its rolling hash. */
const firstWeight = Array.from({ length: runLength - 1 }).reduce<number>(
  (power) => Math.imul(power, factor),
  1,
);

function hashOf(words: Uint32Array, at: number): number {
  let hash = 0;
  for (let index = at; index < at + runLength; index += 1)
    hash = (Math.imul(hash, factor) + words[index]!) | 0;
  return hash;
}

/** Chooses runs at places spread over the new pixels, keyed by their hash. */
function chooseRuns(framebuffer: Framebuffer, pixels: Pixels): Map<number, Run> {
  const runs = new Map<number, Run>();
  const { x, y, width, height } = pixels.box;
  const [across, down] = [
    Math.max(runLength, Math.floor(width / 9)),
    Math.max(rowStep, Math.floor(height / 13)),
  ];
  let places = 0;
  for (let row = down >> 1; row + rowStep <= height && places < maxPlaces; row += down)
    for (let at = (row * 7) % across; at + runLength <= width && places < maxPlaces; at += across)
      if (addPlace(runs, framebuffer, pixels, { x: x + at, y: y + row })) places += 1;
  return runs;
}

/** Returns whether at least one of the runs below each other differs from the framebuffer and is distinctive. */
function addPlace(
  runs: Map<number, Run>,
  framebuffer: Framebuffer,
  { box, words, offset, stride }: Pixels,
  { x, y: top }: Run,
): boolean {
  let isUsed = false;
  for (let y = top; y < top + rowStep; y += 1) {
    const [now, before] = [offset + (y - box.y) * stride + x - box.x, y * framebuffer.width + x];
    let [edges, changed] = [0, 0];
    for (let at = 1; at < runLength; at += 1) {
      if (words[now + at] !== words[now + at - 1]) edges += 1;
      if (words[now + at] !== framebuffer.words[before + at]) changed += 1;
    }
    if (edges < minEdges || changed === 0) continue;
    runs.set(hashOf(words, now), { x, y });
    isUsed = true;
  }
  return isUsed;
}

interface Found {
  run: Run;
  dx: number;
  dy: number;
}

/** Finds the runs in the framebuffer with a rolling hash along the rows. */
function locate({ words, width }: Framebuffer, { box }: Pixels, runs: ReadonlyMap<number, Run>): Found[] {
  const found: Found[] = [];
  // A small table rules out most hashes before the map is asked.
  const likely = new Uint8Array(65_536);
  for (const hash of runs.keys()) likely[hash >>> 16] = 1;
  for (let y = box.y; y < box.y + box.height; y += rowStep) {
    const row = y * width;
    let hash = hashOf(words, row + box.x);
    for (let x = box.x; ; x += 1) {
      const known = likely[hash >>> 16] === 1 ? runs.get(hash) : undefined;
      if (known) found.push({ run: known, dx: known.x - x, dy: known.y - y });
      if (x + runLength >= box.x + box.width) break;
      hash =
        (Math.imul(hash - Math.imul(words[row + x]!, firstWeight), factor) + words[row + x + runLength]!) | 0;
    }
  }
  return found;
}

/** Returns the move that most runs agree on. */
function voteForMove(found: readonly Found[]): { dx: number; dy: number; runs: Run[] } | undefined {
  const moves = Map.groupBy(
    found.filter(({ dx, dy }) => dx !== 0 || dy !== 0),
    ({ dx, dy }) => `${dx} ${dy}`,
  );
  const [best] = [...moves.values()].toSorted((a, b) => b.length - a.length);
  if (!best || best.length < minVotes) return undefined;
  return { dx: best[0]!.dx, dy: best[0]!.dy, runs: best.map((each) => each.run) };
}

/** Grows a run to the box that moved with it: first along its row, then up and down at that width. */
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
  let [left, right] = [from.x, from.x + runLength];
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
