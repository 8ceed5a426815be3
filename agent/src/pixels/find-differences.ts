/** What differs between the picture and newly grabbed pixels: boxes, exact to the pixel. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import type { Framebuffer } from './framebuffer.ts';

/** Rows that are alike do not end a box while fewer than this follow each other. */
const gap = 3;
/** A box may hold so much more than what differs in its rows. */
const [muchAlike, littleAlike] = [1.5, 1_024];
/** A box is cut where a column of so many pixels is alike, if it is small enough for that to pay. */
const column = 64;
const maxCut = 256 * 1_024;

export function findDifferences(framebuffer: Framebuffer, pixels: Pixels): Box[] {
  const isAlike = rowsOf(framebuffer, pixels);
  const { box } = pixels;
  const found: OpenBox[] = [];
  let open: OpenBox | undefined;
  for (let row = 0; row < box.height; row += 1) {
    if (isAlike(row)) continue;
    const [left, right] = endsOf(framebuffer, pixels, row);
    if (open && belongs(open, row, left, right)) extend(open, row, left, right);
    else found.push((open = { top: row, bottom: row + 1, left, right, changed: right - left }));
  }
  return found
    .map(({ top, bottom, left, right }) => ({
      x: box.x + left,
      y: box.y + top,
      width: right - left,
      height: bottom - top,
    }))
    .flatMap((each) => cutAtColumns(framebuffer, pixels, each));
}

/** Rows that make one box so far; `changed`: what they cover without what lies between. */
interface OpenBox {
  top: number;
  bottom: number;
  left: number;
  right: number;
  changed: number;
}

/** A row joins those above it unless the box would then hold much that is alike, as where a window left a corner. */
function belongs(open: OpenBox, row: number, left: number, right: number): boolean {
  const width = Math.max(open.right, right) - Math.min(open.left, left);
  const holds = width * (row + 1 - open.top);
  return row - open.bottom < gap && holds <= (open.changed + right - left) * muchAlike + littleAlike;
}

function extend(open: OpenBox, row: number, left: number, right: number): void {
  open.bottom = row + 1;
  open.left = Math.min(open.left, left);
  open.right = Math.max(open.right, right);
  open.changed += right - left;
}

/** Compares whole rows as bytes, which the machine does far quicker than number by number. */
function rowsOf(framebuffer: Framebuffer, { box, words, offset, stride }: Pixels): (row: number) => boolean {
  const grabbed = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  return (row) => {
    const from = (offset + row * stride) * 4;
    const kept = ((box.y + row) * framebuffer.width + box.x) * 4;
    const length = box.width * 4;
    return grabbed.compare(framebuffer.bytes, kept, kept + length, from, from + length) === 0;
  };
}

/** From the first to the last pixel of a row that differs. */
function endsOf(
  framebuffer: Framebuffer,
  { box, words, offset, stride }: Pixels,
  row: number,
): [number, number] {
  const now = offset + row * stride;
  const before = (box.y + row) * framebuffer.width + box.x;
  let [left, right] = [0, box.width];
  while (left < right && words[now + left] === framebuffer.words[before + left]) left += 1;
  while (right > left && words[now + right - 1] === framebuffer.words[before + right - 1]) right -= 1;
  return [left, right];
}

function cutAtColumns(framebuffer: Framebuffer, pixels: Pixels, found: Box): Box[] {
  if (found.width <= 2 * column || found.width * found.height > maxCut) return [found];
  const boxes: Box[] = [];
  let open: Box | undefined;
  for (let x = found.x; x < found.x + found.width; x += column) {
    const width = Math.min(column, found.x + found.width - x);
    if (isSame(framebuffer, pixels, { ...found, x, width })) open = undefined;
    else if (open) open.width += width;
    else boxes.push((open = { ...found, x, width }));
  }
  return boxes;
}

function isSame(framebuffer: Framebuffer, { box, words, offset, stride }: Pixels, part: Box): boolean {
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const now = offset + (y - box.y) * stride + part.x - box.x;
    const before = y * framebuffer.width + part.x;
    for (let x = 0; x < part.width; x += 1)
      if (words[now + x] !== framebuffer.words[before + x]) return false;
  }
  return true;
}
