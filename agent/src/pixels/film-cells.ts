/** Divides the changes of a film into cells: film, which may be sent at half size, and text, which stays exact. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import { blockSize, stackRows } from './lossy-blocks.ts';
import type { Framebuffer } from './framebuffer.ts';

export interface FilmCells {
  film: Box[];
  exact: Box[];
}

/** A cell is film unless at least this share of its neighbouring pixels is equal, as on a plain background. */
const equalShare = 1 / 4;
/** Text has hard edges: at least this share of its neighbouring pixels differs by at least so much, in the sum of the colours. */
const [edgeShare, edgeContrast] = [1 / 8, 96];
/** Only every fourth row is examined, which takes a quarter of the time and still crosses every line of text. */
const rowStep = 4;
/** Exact cells are joined over gaps of up to this many pixels, because few larger tiles are decoded sooner. */
const exactGap = 4 * blockSize;
/** Film is joined over gaps without text, because a frame with few boxes is drawn sooner. */
const filmGap = 12 * blockSize;

/** Colours that differ in none of these bits differ by less than a third of the contrast of an edge each. */
const mayBeEdge = 0xe0e0e0;

const texture = { film: 0, plain: 1, text: 2 } as const;

/** Compares the pixels with the framebuffer, so the pixels must not have been put into it yet. Unchanged text is in neither list. */
export function splitFilm(framebuffer: Framebuffer, pixels: Pixels, boxes: readonly Box[]): FilmCells {
  const cells: FilmCells = { film: [], exact: [] };
  for (const box of boxes) splitBox(cells, framebuffer, pixels, box);
  return { film: stackRows(cells.film), exact: stackRows(cells.exact) };
}

function splitBox(cells: FilmCells, framebuffer: Framebuffer, pixels: Pixels, box: Box): void {
  const grid = createGrid(framebuffer, pixels, box);
  const columns = grid.xs.length - 1;
  for (let row = 0; row + 1 < grid.ys.length; row += 1) {
    let isTextBetween = true;
    for (let column = 0; column < columns; column += 1) {
      const isText = isExact(grid, row, column);
      if (isText) isTextBetween = true;
      if (!isChanged(grid, row, column)) continue;
      if (isText) appendCell(cells.exact, cellAt(grid, row, column), exactGap);
      else appendCell(cells.film, cellAt(grid, row, column), isTextBetween ? 0 : filmGap);
      if (!isText) isTextBetween = false;
    }
  }
}

/** The cells of a box. They have the positions and the size of blocks; those at the edges of the box are cut. */
interface Grid {
  framebuffer: Framebuffer;
  pixels: Pixels;
  /** Where each column and each row begins, and where the last one ends. */
  xs: number[];
  ys: number[];
  /** The texture of each cell, row by row. */
  textures: Uint8Array;
}

function createGrid(framebuffer: Framebuffer, pixels: Pixels, { x, y, width, height }: Box): Grid {
  const [xs, ys] = [cutAtBlocks(x, x + width), cutAtBlocks(y, y + height)];
  const columns = xs.length - 1;
  const textures = new Uint8Array(columns * (ys.length - 1));
  const grid: Grid = { framebuffer, pixels, xs, ys, textures };
  for (let row = 0; row + 1 < ys.length; row += 1)
    for (let column = 0; column < columns; column += 1)
      textures[row * columns + column] = textureOf(grid, row, column);
  return grid;
}

function cutAtBlocks(from: number, to: number): number[] {
  const cuts = [from];
  for (let at = from; at < to;) cuts.push((at = Math.min((Math.floor(at / blockSize) + 1) * blockSize, to)));
  return cuts;
}

const cellAt = ({ xs, ys }: Grid, row: number, column: number): Box => ({
  x: xs[column]!,
  y: ys[row]!,
  width: xs[column + 1]! - xs[column]!,
  height: ys[row + 1]! - ys[row]!,
});

/** Text, and plain cells that touch it: its margins, and cells with only a part of a letter. */
function isExact({ xs, ys, textures }: Grid, row: number, column: number): boolean {
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  const own = textures[row * columns + column];
  if (own !== texture.plain) return own === texture.text;
  for (let y = Math.max(0, row - 1); y < Math.min(rows, row + 2); y += 1)
    for (let x = Math.max(0, column - 1); x < Math.min(columns, column + 2); x += 1)
      if (textures[y * columns + x] === texture.text) return true;
  return false;
}

/** Extends the last box of the same row of cells if it ends at most `gap` pixels before the cell. */
function appendCell(boxes: Box[], cell: Box, gap: number): void {
  const last = boxes.at(-1);
  const isNear = last && last.y === cell.y && cell.x >= last.x && cell.x - last.x - last.width <= gap;
  if (isNear) last.width = cell.x + cell.width - last.x;
  else boxes.push(cell);
}

// The functions below look at the pixels of every cell in every frame, so they take numbers instead of boxes.

function isChanged({ framebuffer, pixels, xs, ys }: Grid, row: number, column: number): boolean {
  const { words: before, width: rowLength } = framebuffer;
  const { box, words, offset, stride } = pixels;
  const [x, width, bottom] = [xs[column]!, xs[column + 1]! - xs[column]!, ys[row + 1]!];
  for (let y = ys[row]!; y < bottom; y += 1) {
    const old = y * rowLength + x;
    const now = offset + (y - box.y) * stride + x - box.x;
    for (let at = 0; at < width; at += 1) if (words[now + at] !== before[old + at]) return true;
  }
  return false;
}

function textureOf({ pixels, xs, ys }: Grid, row: number, column: number): number {
  const { box, words, offset, stride } = pixels;
  const [top, height, width] = [ys[row]!, ys[row + 1]! - ys[row]!, xs[column + 1]! - xs[column]!];
  const first = Math.min(1, height - 1);
  const from = offset + (top + first - box.y) * stride + xs[column]! - box.x;
  const [end, step] = [from + (height - first) * stride, rowStep * stride];
  const rows = Math.ceil((height - first) / rowStep);
  const pairs = rows * (width - 1);
  let counts = 0;
  for (let start = from; start < end; start += step) counts += countDifferent(words, start, width);
  if ((counts & 0xffff) > pairs * (1 - equalShare)) return texture.film;
  if (counts >> 16 < pairs * edgeShare) return texture.plain;
  let edges = 0;
  for (let start = from; start < end; start += step) edges += countEdges(words, start, width);
  return edges > 0 && edges >= pairs * edgeShare ? texture.text : texture.plain;
}

/**
 * Returns two counts in one number: pairs of neighbours that differ, and from bit 16 on those that may be an edge. There
 * are no branches, because in a film the processor cannot predict them.
 */
function countDifferent(words: Uint32Array, start: number, width: number): number {
  let counts = 0;
  let left = words[start]!;
  const end = start + width;
  for (let at = start + 1; at < end; at += 1) {
    const right = words[at]!;
    const difference = left ^ right;
    // The highest bit of a number or of its negative is set, except for 0.
    counts = (counts + ((difference | -difference) >>> 31) + ((-(difference & mayBeEdge) >>> 31) << 16)) | 0;
    left = right;
  }
  return counts;
}

function countEdges(words: Uint32Array, start: number, width: number): number {
  let count = 0;
  let left = words[start]!;
  for (let at = start + 1; at < start + width; at += 1) {
    const right = words[at]!;
    if (((left ^ right) & mayBeEdge) !== 0 && contrast(left, right) >= edgeContrast) count += 1;
    left = right;
  }
  return count;
}

const contrast = (a: number, b: number): number =>
  Math.abs(((a >> 16) & 255) - ((b >> 16) & 255)) +
  Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) +
  Math.abs((a & 255) - (b & 255));
