/** Geometry of boxes: area, intersection, merging and splitting. */
import type { Box } from '@drawbridge/contract/session/screen-frames';

export const boxArea = ({ width, height }: Box): number => width * height;

export const totalArea = (boxes: readonly Box[]): number => boxes.reduce((sum, box) => sum + boxArea(box), 0);

export const isSameBox = (a: Box, b: Box): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** Returns undefined if the boxes do not overlap. */
export function intersect(a: Box, b: Box): Box | undefined {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** The smallest box that contains all boxes. */
export function boundingBox(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** More boxes than this are not compared with each other, because that would take longer than it saves. */
const maxCompared = 64;
/** Two boxes are merged if their bounding box is at most this many times as large as their total area. */
const slack = 1.15;

/** Returns few boxes that cover all given ones and do not overlap each other. */
export function mergeBoxes(boxes: readonly Box[]): Box[] {
  if (boxes.length > maxCompared) return [boundingBox(boxes)];
  const merged: Box[] = [];
  const waiting = [...boxes];
  for (let box = waiting.pop(); box; box = waiting.pop()) {
    const current = box;
    const at = merged.findIndex((other) => belongTogether(current, other));
    if (at < 0) merged.push(current);
    else waiting.push(boundingBox([current, ...merged.splice(at, 1)]));
  }
  return merged;
}

const belongTogether = (a: Box, b: Box): boolean =>
  intersect(a, b) !== undefined || boxArea(boundingBox([a, b])) <= (boxArea(a) + boxArea(b)) * slack;

/** Splits a box into pieces of at most `maxPixels`: full-width bands if possible, otherwise parts of single rows. */
export function splitBox(box: Box, maxPixels: number): Box[] {
  const width = Math.min(box.width, maxPixels);
  const height = Math.max(1, Math.floor(maxPixels / width));
  const pieces: Box[] = [];
  for (let y = box.y; y < box.y + box.height; y += height)
    for (let x = box.x; x < box.x + box.width; x += width)
      pieces.push({
        x,
        y,
        width: Math.min(width, box.x + box.width - x),
        height: Math.min(height, box.y + box.height - y),
      });
  return pieces;
}
