/** Finds the boxes in which newly captured pixels differ from the framebuffer, exact to the pixel. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import type { Framebuffer } from './framebuffer.ts';

/** Fewer unchanged rows than this in a sequence do not end a box. */
const maxGap = 3;
/** A box may cover at most this many times the pixels that differ in its rows, plus a constant. */
const [coverFactor, coverExtra] = [1.5, 1_024];
/** Boxes of up to `maxSplit` pixels are split where a column of this width is unchanged; for larger ones that does not pay. */
const columnWidth = 64;
const maxSplit = 256 * 1_024;

/** `rows`: those that differ, if they are known. */
export function findDifferences(
  framebuffer: Framebuffer,
  pixels: Pixels,
  rows: Iterable<number> = changedRows(framebuffer, pixels),
): Box[] {
  const { box } = pixels;
  const found: OpenBox[] = [];
  let open: OpenBox | undefined;
  for (const row of rows) {
    const [left, right] = changedSpan(framebuffer, pixels, row);
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
    .flatMap((each) => splitAtColumns(framebuffer, pixels, each));
}

/** The rows that differ; undefined if they are `limit` or more, of which it compares no others. */
export function fewChangedRows(
  framebuffer: Framebuffer,
  pixels: Pixels,
  limit: number,
): number[] | undefined {
  const rows: number[] = [];
  for (const row of changedRows(framebuffer, pixels)) if (rows.push(row) === limit) return undefined;
  return rows;
}

function* changedRows(framebuffer: Framebuffer, pixels: Pixels): Generator<number> {
  const isUnchanged = rowComparer(framebuffer, pixels);
  for (let row = 0; row < pixels.box.height; row += 1) if (!isUnchanged(row)) yield row;
}

/** The rows that belong to one box so far. `changed`: the sum of their changed spans. */
interface OpenBox {
  top: number;
  bottom: number;
  left: number;
  right: number;
  changed: number;
}

/** A row joins the box above it unless the box would then contain many unchanged pixels, as around an L-shaped change. */
function belongs(open: OpenBox, row: number, left: number, right: number): boolean {
  const width = Math.max(open.right, right) - Math.min(open.left, left);
  const covered = width * (row + 1 - open.top);
  return row - open.bottom < maxGap && covered <= (open.changed + right - left) * coverFactor + coverExtra;
}

function extend(open: OpenBox, row: number, left: number, right: number): void {
  open.bottom = row + 1;
  open.left = Math.min(open.left, left);
  open.right = Math.max(open.right, right);
  open.changed += right - left;
}

/** Returns a function that compares whole rows as bytes, which is much faster than pixel by pixel. */
function rowComparer(
  framebuffer: Framebuffer,
  { box, words, offset, stride }: Pixels,
): (row: number) => boolean {
  const grabbed = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  return (row) => {
    const from = (offset + row * stride) * 4;
    const kept = ((box.y + row) * framebuffer.width + box.x) * 4;
    const length = box.width * 4;
    return grabbed.compare(framebuffer.bytes, kept, kept + length, from, from + length) === 0;
  };
}

/** Returns the first pixel of a row that differs, and the position after the last one. */
function changedSpan(
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

function splitAtColumns(framebuffer: Framebuffer, pixels: Pixels, found: Box): Box[] {
  if (found.width <= 2 * columnWidth || found.width * found.height > maxSplit) return [found];
  const boxes: Box[] = [];
  let open: Box | undefined;
  for (let x = found.x; x < found.x + found.width; x += columnWidth) {
    const width = Math.min(columnWidth, found.x + found.width - x);
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
