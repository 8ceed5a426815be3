/** Which parts of the picture the operator has only nearly: blocks that were sent lossily, and since when. */
import type { Box, CopyRect } from '@drawbridge/contract/session/screen-frames';
import { intersect } from './boxes.ts';

/** Pixels each way; video is made of blocks of this size. */
export const blockSize = 16;

export interface LossyBlocks {
  /** How many blocks are not exact. */
  count(): number;
  /** The moment after which some blocks have rested for so long; undefined when all are exact. */
  dueAt(rest: number): number | undefined;
  mark(boxes: readonly Box[], now: number): void;
  /** Those that lie in the boxes with all of them that is in the picture are exact now. */
  clear(boxes: readonly Box[]): void;
  /** What is copied takes along that it is not exact. */
  copy(copy: CopyRect, now: number): void;
  /** Blocks sent before this moment, as boxes of up to so many pixels in all. */
  older(than: number, most: number): Box[];
}

/** Sent at some moment, as a number above 0: 0 is for what is exact. */
const moment = (now: number): number => Math.max(now, 1);

export function createLossyBlocks(width: number, height: number): LossyBlocks {
  const [columns, rows] = [Math.ceil(width / blockSize), Math.ceil(height / blockSize)];
  const since = new Float64Array(columns * rows);
  let count = 0;

  const set = (at: number, time: number): void => {
    count += Number(time > 0) - Number(since[at]! > 0);
    since[at] = time;
  };
  const eachTouched = ({ x, y, width: wide, height: high }: Box, visit: (at: number) => void): void => {
    for (
      let row = Math.floor(y / blockSize);
      row < Math.min(rows, Math.ceil((y + high) / blockSize));
      row += 1
    )
      for (
        let at = Math.floor(x / blockSize);
        at < Math.min(columns, Math.ceil((x + wide) / blockSize));
        at += 1
      )
        visit(row * columns + at);
  };
  const isTouched = (box: Box): boolean => {
    let found = false;
    eachTouched(box, (at) => void (found ||= since[at]! > 0));
    return found;
  };
  const boxOf = (at: number): Box => {
    const [x, y] = [(at % columns) * blockSize, Math.floor(at / columns) * blockSize];
    return { x, y, width: Math.min(blockSize, width - x), height: Math.min(blockSize, height - y) };
  };

  return {
    count: () => count,
    dueAt(rest) {
      if (count === 0) return undefined;
      let oldest = Infinity;
      for (const time of since) if (time > 0 && time < oldest) oldest = time;
      return oldest + rest;
    },
    mark: (boxes, now) => boxes.forEach((box) => eachTouched(box, (at) => set(at, moment(now)))),
    clear(boxes) {
      for (const box of boxes)
        eachTouched(box, (at) => {
          if (contains(box, boxOf(at))) set(at, 0);
        });
    },
    copy({ x, y, width: wide, height: high, toX, toY }, now) {
      if (count === 0) return;
      const target = { x: toX, y: toY, width: wide, height: high };
      const next = new Map<number, number>();
      eachTouched(target, (at) => {
        const inside = intersect(boxOf(at), target)!;
        const isInexact = isTouched({ ...inside, x: inside.x + x - toX, y: inside.y + y - toY });
        if (isInexact) next.set(at, moment(now));
        else if (contains(target, boxOf(at))) next.set(at, 0);
      });
      for (const [at, time] of next) set(at, time);
    },
    older(than, most) {
      const boxes: Box[] = [];
      let pixels = 0;
      for (let at = 0; at < since.length && pixels < most; at += 1) {
        if (since[at] === 0 || since[at]! > than) continue;
        const box = boxOf(at);
        const last = boxes.at(-1);
        if (last && last.y === box.y && last.x + last.width === box.x) last.width += box.width;
        else boxes.push(box);
        pixels += box.width * box.height;
      }
      return stacked(boxes);
    },
  };
}

const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** Rows of the same place and width, one under the other, become one box. */
function stacked(rows: readonly Box[]): Box[] {
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
