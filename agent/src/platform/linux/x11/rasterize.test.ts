/** Tests of rasterizing glyph outlines and of rejecting other files. */
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
