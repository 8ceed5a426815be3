/** Boxes of a picture: what they cover, where they meet, and how many become few. */
import type { Box } from '@drawbridge/contract/session/screen-frames';

export const boxArea = ({ width, height }: Box): number => width * height;

export const totalArea = (boxes: readonly Box[]): number => boxes.reduce((sum, box) => sum + boxArea(box), 0);

/** What both cover; undefined where they do not meet. */
export function intersect(a: Box, b: Box): Box | undefined {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** The smallest box around all. */
export function boundingBox(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** So many are compared with each other; more would take longer than what they save. */
const maxCompared = 64;
/** Two become one that covers up to so much more than they did. */
const slack = 1.15;

/** Few boxes that cover all of the given ones, and of which no two meet. */
export function mergeBoxes(boxes: readonly Box[]): Box[] {
  if (boxes.length > maxCompared) return [boundingBox(boxes)];
  const merged: Box[] = [];
  const waiting = [...boxes];
  for (let box = waiting.pop(); box; box = waiting.pop()) {
    const given = box;
    const at = merged.findIndex((other) => belongTogether(given, other));
    if (at < 0) merged.push(given);
    else waiting.push(boundingBox([given, ...merged.splice(at, 1)]));
  }
  return merged;
}

const belongTogether = (a: Box, b: Box): boolean =>
  intersect(a, b) !== undefined || boxArea(boundingBox([a, b])) <= (boxArea(a) + boxArea(b)) * slack;

/** Cuts a box into pieces of at most so many pixels: as wide as it is where that is possible, else in columns too. */
export function splitBox(box: Box, most: number): Box[] {
  const width = Math.min(box.width, most);
  const height = Math.max(1, Math.floor(most / width));
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
