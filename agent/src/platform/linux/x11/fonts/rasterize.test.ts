/** Tests of rasterizing glyph outlines, and of rejecting other files and damaged ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rasterizeGlyph } from './rasterize.ts';
import { readTypeface, type Point, type Typeface } from './typeface.ts';

const corner = (x: number, y: number): Point => ({ x, y, isOn: true });
const square = (from: number, to: number): Point[] => [
  corner(from, from),
  corner(from, to),
  corner(to, to),
  corner(to, from),
];
const faceOf = (...contours: Point[][]): Typeface => ({
  unitsPerEm: 1_000,
  ascent: 800,
  descent: 200,
  glyphOf: () => 1,
  advanceOf: () => 1_100,
  contoursOf: () => contours,
});
const sumOf = (coverage: Uint8Array): number =>
  Math.round(coverage.reduce((sum, each) => sum + each, 0) / 255);

test('a square covers its pixels, half of those at a fractional edge, and none inside a hole', () => {
  const whole = rasterizeGlyph(faceOf(square(0, 1_000)), 1, 10);
  const moved = rasterizeGlyph(faceOf(square(50, 1_050)), 1, 10);
  const pierced = rasterizeGlyph(faceOf(square(0, 1_000), square(200, 800).toReversed()), 1, 10);

  assert.deepEqual([whole.left, whole.top, whole.advance, sumOf(whole.coverage)], [0, 10, 11, 100]);
  assert.deepEqual([moved.coverage[moved.width], sumOf(moved.coverage)], [128, 100]);
  assert.equal(sumOf(pierced.coverage), 64);
});

test('control points curve the outline: a circle of four curves covers the area of a circle', () => {
  const circle = [
    [0, 500],
    [0, 1_000],
    [500, 1_000],
    [1_000, 1_000],
    [1_000, 500],
    [1_000, 0],
    [500, 0],
    [0, 0],
  ].map(([x, y], index): Point => ({ x: x!, y: y!, isOn: index % 2 === 0 }));

  const { coverage } = rasterizeGlyph(faceOf(circle), 1, 40);

  assert.ok(Math.abs(sumOf(coverage) - 1_600 * 0.833) < 20);
});

test('a file that is not TrueType is rejected', () => {
  assert.equal(readTypeface(Buffer.from('this is something else altogether')), undefined);
  assert.equal(readTypeface(Buffer.alloc(0)), undefined);
});

/** A font with one glyph; `unitsPerEm` and the glyph are as given. */
function fontWith(glyph: Buffer, unitsPerEm = 1_000): Buffer {
  const [head, hhea, loca] = [Buffer.alloc(54), Buffer.alloc(36), Buffer.alloc(8)];
  head.writeUInt16BE(unitsPerEm, 18);
  head.writeInt16BE(1, 50);
  hhea.writeUInt16BE(1, 34);
  loca.writeUInt32BE(glyph.length, 4);
  const tables = { head, hhea, loca, hmtx: Buffer.alloc(4), cmap: Buffer.alloc(4), glyf: glyph };
  const directory = Buffer.alloc(12 + 16 * Object.keys(tables).length);
  directory.writeUInt32BE(0x0001_0000, 0);
  directory.writeUInt16BE(Object.keys(tables).length, 4);
  let start = directory.length;
  Object.entries(tables).forEach(([name, table], index) => {
    directory.write(name, 12 + 16 * index, 'latin1');
    directory.writeUInt32BE(start, 12 + 16 * index + 8);
    directory.writeUInt32BE(table.length, 12 + 16 * index + 12);
    start += table.length;
  });
  return Buffer.concat([directory, ...Object.values(tables)]);
}

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16BE(value, 2 * index));
  return bytes;
};

test('a glyph that contains itself many times, or has too many points, is rejected at once', () => {
  const [isComposite, hasMore] = [0xffff, 0x20];
  const inItself = Buffer.concat([
    words(isComposite, 0, 0, 0, 0),
    ...Array.from({ length: 7 }, () => words(hasMore, 0, 0)),
    words(0, 0, 0),
  ]);
  const large = words(1, 0, 0, 0, 0, 60_000, 0);
  const unordered = words(3, 0, 0, 0, 0, 0, 9_999, 9_998, 0);

  for (const glyph of [inItself, large, unordered])
    assert.throws(() => readTypeface(fontWith(glyph))!.contoursOf(0), {
      name: 'RangeError',
      message: /^(A glyph has too many points|The contours of a glyph are not in order)/,
    });
});

test('a font with an implausible size, and a glyph too large for a line, are rejected', () => {
  const glyph = words(0, 0, 0, 0, 0, 0);

  assert.throws(() => readTypeface(fontWith(glyph, 0)), RangeError);
  assert.deepEqual(readTypeface(fontWith(glyph))?.contoursOf(0), []);
  assert.throws(() => rasterizeGlyph(faceOf(square(0, 40_000)), 1, 10), RangeError);
});
