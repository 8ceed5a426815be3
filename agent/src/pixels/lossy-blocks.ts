/** Tracks which blocks of the picture the operator has only lossily, and since when. */
import type { Box, CopyRect } from '@drawbridge/contract/session/screen-frames';
import { intersect } from './boxes.ts';

/** Width and height in pixels; the macroblocks of VP8 have this size. */
export const blockSize = 16;

export interface LossyBlocks {
  /** How many blocks are lossy. */
  count(): number;
  /** When the oldest lossy block will have been unchanged for `rest`; undefined if all blocks are exact. */
  dueAt(rest: number): number | undefined;
  mark(boxes: readonly Box[], now: number): void;
  /** Marks as exact the blocks whose visible part lies completely inside one of the boxes. */
  clear(boxes: readonly Box[]): void;
  /** Target blocks become lossy where the copied content is lossy. */
  copy(copy: CopyRect, now: number): void;
  /** Blocks sent no later than `than`, joined into boxes, until `most` pixels are reached. */
  older(than: number, most: number): Box[];
}

/** The time a block was sent, always above 0, because 0 means that the block is exact. */
const timestamp = (now: number): number => Math.max(now, 1);

interface State {
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** When each block was last sent lossily; 0 if it is exact. */
  since: Float64Array;
  /** How many entries of `since` are not 0. */
  count: number;
}

export function createLossyBlocks(width: number, height: number): LossyBlocks {
  const [columns, rows] = [Math.ceil(width / blockSize), Math.ceil(height / blockSize)];
  const since = new Float64Array(columns * rows);
  const state: State = { width, height, columns, rows, since, count: 0 };
  return {
    count: () => state.count,
    dueAt: (rest) => dueAt(state, rest),
    mark(boxes, now) {
      for (const box of boxes) eachTouched(state, box, (at) => setBlock(state, at, timestamp(now)));
    },
    clear: (boxes) => clear(state, boxes),
    copy: (copy, now) => copyBlocks(state, copy, now),
    older: (than, most) => older(state, than, most),
  };
}

function dueAt({ since, count }: State, rest: number): number | undefined {
  if (count === 0) return undefined;
  let oldest = Infinity;
  for (const time of since) if (time > 0 && time < oldest) oldest = time;
  return oldest + rest;
}

function clear(state: State, boxes: readonly Box[]): void {
  for (const box of boxes)
    eachTouched(state, box, (at) => {
      if (contains(box, boxOf(state, at))) setBlock(state, at, 0);
    });
}

function copyBlocks(state: State, { x, y, width, height, toX, toY }: CopyRect, now: number): void {
  if (state.count === 0) return;
  const target = { x: toX, y: toY, width, height };
  // Collected first, because source and target may overlap.
  const next = new Map<number, number>();
  eachTouched(state, target, (at) => {
    const inside = intersect(boxOf(state, at), target)!;
    const isLossy = hasLossy(state, { ...inside, x: inside.x + x - toX, y: inside.y + y - toY });
    if (isLossy) next.set(at, timestamp(now));
    else if (contains(target, boxOf(state, at))) next.set(at, 0);
  });
  for (const [at, time] of next) setBlock(state, at, time);
}

function older(state: State, than: number, most: number): Box[] {
  const { since } = state;
  const boxes: Box[] = [];
  let pixels = 0;
  for (let at = 0; at < since.length && pixels < most; at += 1) {
    if (since[at] === 0 || since[at]! > than) continue;
    const box = boxOf(state, at);
    const last = boxes.at(-1);
    if (last && last.y === box.y && last.x + last.width === box.x) last.width += box.width;
    else boxes.push(box);
    pixels += box.width * box.height;
  }
  return stackRows(boxes);
}

function setBlock(state: State, at: number, time: number): void {
  state.count += Number(time > 0) - Number(state.since[at]! > 0);
  state.since[at] = time;
}

/** Visits the index of every block that the box touches. */
function eachTouched({ columns, rows }: State, box: Box, visit: (at: number) => void): void {
  const [left, top] = [Math.floor(box.x / blockSize), Math.floor(box.y / blockSize)];
  const right = Math.min(columns, Math.ceil((box.x + box.width) / blockSize));
  const bottom = Math.min(rows, Math.ceil((box.y + box.height) / blockSize));
  for (let row = top; row < bottom; row += 1)
    for (let column = left; column < right; column += 1) visit(row * columns + column);
}

function hasLossy(state: State, box: Box): boolean {
  let found = false;
  eachTouched(state, box, (at) => void (found ||= state.since[at]! > 0));
  return found;
}

function boxOf({ columns, width, height }: State, at: number): Box {
  const [x, y] = [(at % columns) * blockSize, Math.floor(at / columns) * blockSize];
  return { x, y, width: Math.min(blockSize, width - x), height: Math.min(blockSize, height - y) };
}

const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** Joins rows of equal position and width that lie directly below each other into one box. */
export function stackRows(rows: readonly Box[]): Box[] {
  const boxes: Box[] = [];
  for (const row of rows) {
    const above = boxes.find(
      (box) => box.x === row.x && box.width === row.width && box.y + box.height === row.y,
    );
    if (above) above.height += row.height;
    else boxes.push({ ...row });
  }
  return boxes;
}
