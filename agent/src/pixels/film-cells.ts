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

const texture = { film: 0, plain: 1, text: 2 } as const;

/** Compares the pixels with the framebuffer, so the pixels must not have been put into it yet. Unchanged text is in neither list. */
export function splitFilm(framebuffer: Framebuffer, pixels: Pixels, boxes: readonly Box[]): FilmCells {
  const cells: FilmCells = { film: [], exact: [] };
  for (const box of boxes) splitBox(cells, framebuffer, pixels, box);
  return { film: stackRows(cells.film), exact: stackRows(cells.exact) };
}

function splitBox(cells: FilmCells, framebuffer: Framebuffer, pixels: Pixels, box: Box): void {
  const grid = createGrid(pixels, box);
  const columns = grid.xs.length - 1;
  for (let row = 0; row + 1 < grid.ys.length; row += 1) {
    let isTextBetween = true;
    for (let column = 0; column < columns; column += 1) {
      const isText = isExact(grid, row, column);
      if (isText) isTextBetween = true;
      const cell = cellAt(grid, row, column);
      if (!isChanged(framebuffer, pixels, cell)) continue;
      if (isText) appendCell(cells.exact, cell, exactGap);
      else appendCell(cells.film, cell, isTextBetween ? 0 : filmGap);
      if (!isText) isTextBetween = false;
    }
  }
}

/** The cells of a box. They have the positions and the size of blocks; those at the edges of the box are cut. */
interface Grid {
  /** Where each column and each row begins, and where the last one ends. */
  xs: number[];
  ys: number[];
  /** The texture of each cell, row by row. */
  textures: Uint8Array;
}

function createGrid(pixels: Pixels, { x, y, width, height }: Box): Grid {
  const [xs, ys] = [cutAtBlocks(x, x + width), cutAtBlocks(y, y + height)];
  const columns = xs.length - 1;
  const grid: Grid = { xs, ys, textures: new Uint8Array(columns * (ys.length - 1)) };
  for (let at = 0; at < grid.textures.length; at += 1)
    grid.textures[at] = textureOf(pixels, cellAt(grid, Math.floor(at / columns), at % columns));
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

function isChanged(
  { words: before, width: rowLength }: Framebuffer,
  { box, words, offset, stride }: Pixels,
  { x, y, width, height }: Box,
): boolean {
  for (let row = y; row < y + height; row += 1) {
    const old = row * rowLength + x;
    const now = offset + (row - box.y) * stride + x - box.x;
    for (let at = 0; at < width; at += 1) if (words[now + at] !== before[old + at]) return true;
  }
  return false;
}

function textureOf({ box, words, offset, stride }: Pixels, { x, y, width, height }: Box): number {
  let pairs = 0;
  let equal = 0;
  let edges = 0;
  for (let row = y + Math.min(1, height - 1); row < y + height; row += rowStep) {
    const from = offset + (row - box.y) * stride + x - box.x;
    for (let at = from + 1; at < from + width; at += 1) {
      const left = words[at - 1]!;
      const right = words[at]!;
      if (left === right) equal += 1;
      else if (contrast(left, right) >= edgeContrast) edges += 1;
    }
    pairs += width - 1;
  }
  if (equal < pairs * equalShare) return texture.film;
  return edges > 0 && edges >= pairs * edgeShare ? texture.text : texture.plain;
}

const contrast = (a: number, b: number): number =>
  Math.abs(((a >> 16) & 255) - ((b >> 16) & 255)) +
  Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) +
  Math.abs((a & 255) - (b & 255));
