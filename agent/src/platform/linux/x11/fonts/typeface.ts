/** Reads the parts of a TrueType file that drawing needs: the glyph of a character, its width and its outline. */

export interface Point {
  x: number;
  y: number;
  /** On the outline; false for a control point. */
  isOn: boolean;
}

/** Lengths are in font units, of which `unitsPerEm` make an em. */
export interface Typeface {
  unitsPerEm: number;
  ascent: number;
  descent: number;
  /** 0 if the font does not have the character. */
  glyphOf(codePoint: number): number;
  advanceOf(glyph: number): number;
  contoursOf(glyph: number): Point[][];
}

/** The smallest number of units that the format allows. */
const minUnitsPerEm = 16;
/** The limits of a plausible font: the height of a line in ems, and the points of one glyph. */
const [maxLineEms, maxGlyphPoints] = [32, 10_000];
/** A component counts as this many points. A glyph that contains itself then soon exceeds the limit. */
const pointsPerComponent = 50;

/** Returns undefined for files of another kind. This function and those of the result throw RangeError if the file is damaged. */
export function readTypeface(file: Buffer): Typeface | undefined {
  const tables = tablesOf(file);
  const [head, hhea, hmtx, loca, glyf, cmap] = ['head', 'hhea', 'hmtx', 'loca', 'glyf', 'cmap'].map((name) =>
    tables.get(name),
  );
  if (!head || !hhea || !hmtx || !loca || !glyf || !cmap) return undefined;
  const unitsPerEm = head.readUInt16BE(18);
  const [ascent, descent] = [hhea.readInt16BE(4), -hhea.readInt16BE(6)];
  if (unitsPerEm < minUnitsPerEm || Math.abs(ascent) + Math.abs(descent) > maxLineEms * unitsPerEm)
    throw new RangeError('The sizes of the font are not plausible.');
  const isLong = head.readInt16BE(50) === 1;
  const advances = hhea.readUInt16BE(34);
  const offsetOf = (glyph: number): number =>
    isLong ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph);
  const dataOf = (glyph: number): Buffer => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1));
  return {
    unitsPerEm,
    ascent,
    descent,
    glyphOf: glyphFinder(cmap),
    advanceOf: (glyph) => hmtx.readUInt16BE(4 * Math.min(glyph, advances - 1)),
    contoursOf: (glyph) => contoursIn({ dataOf, points: maxGlyphPoints }, glyph),
  };
}

function tablesOf(file: Buffer): Map<string, Buffer> {
  const isTrueType = file.length > 12 && file.readUInt32BE(0) === 0x0001_0000;
  const count = isTrueType ? file.readUInt16BE(4) : 0;
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = 12 + 16 * index;
      const start = file.readUInt32BE(at + 8);
      return [file.toString('latin1', at, at + 4), file.subarray(start, start + file.readUInt32BE(at + 12))];
    }),
  );
}

/** Uses the table of all Unicode characters if there is one, otherwise that of the first 65536. */
function glyphFinder(cmap: Buffer): (codePoint: number) => number {
  const tables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4)),
  );
  const ofFormat = (format: number): Buffer | undefined =>
    tables.find((table) => table.readUInt16BE(0) === format);
  const [all, basic] = [ofFormat(12), ofFormat(4)];
  return (codePoint) => {
    if (all) return findInGroups(all, codePoint);
    return basic && codePoint <= 0xffff ? findInSegments(basic, codePoint) : 0;
  };
}

function findInGroups(table: Buffer, codePoint: number): number {
  let [low, high] = [0, table.readUInt32BE(12) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = 16 + 12 * middle;
    if (codePoint < table.readUInt32BE(at)) high = middle - 1;
    else if (codePoint > table.readUInt32BE(at + 4)) low = middle + 1;
    else return table.readUInt32BE(at + 8) + codePoint - table.readUInt32BE(at);
  }
  return 0;
}

function findInSegments(table: Buffer, codePoint: number): number {
  const bytes = table.readUInt16BE(6);
  const ends = 14;
  const starts = ends + bytes + 2;
  for (let at = 0; at < bytes; at += 2) {
    if (codePoint > table.readUInt16BE(ends + at)) continue;
    const start = table.readUInt16BE(starts + at);
    if (codePoint < start) return 0;
    const shift = table.readUInt16BE(starts + bytes + at);
    const offsetAt = starts + 2 * bytes + at;
    const offset = table.readUInt16BE(offsetAt);
    if (offset === 0) return (codePoint + shift) & 0xffff;
    const glyph = table.readUInt16BE(offsetAt + offset + 2 * (codePoint - start));
    return glyph === 0 ? 0 : (glyph + shift) & 0xffff;
  }
  return 0;
}

interface GlyphSource {
  dataOf(glyph: number): Buffer;
  /** How many more points the glyph may have. */
  points: number;
}

function spend(source: GlyphSource, points: number): void {
  source.points -= points;
  if (source.points < 0) throw new RangeError('A glyph has too many points.');
}

function contoursIn(source: GlyphSource, glyph: number): Point[][] {
  const data = source.dataOf(glyph);
  if (data.length < 10) return [];
  const count = data.readInt16BE(0);
  return count >= 0 ? simpleContours(source, data, count) : compositeContours(source, data);
}

const flags = { isOn: 1, shortX: 2, shortY: 4, repeat: 8, sameX: 16, sameY: 32 } as const;

function simpleContours(source: GlyphSource, data: Buffer, count: number): Point[][] {
  const ends = Array.from({ length: count }, (_, index) => data.readUInt16BE(10 + 2 * index));
  const points = (ends.at(-1) ?? -1) + 1;
  spend(source, points);
  if (ends.some((end, index) => end < (ends[index - 1] ?? 0)))
    throw new RangeError('The contours of a glyph are not in order.');
  let at = 10 + 2 * count + 2 + data.readUInt16BE(10 + 2 * count);
  const marks: number[] = [];
  while (marks.length < points) {
    const mark = data.readUInt8(at++);
    const times = mark & flags.repeat ? data.readUInt8(at++) + 1 : 1;
    for (let each = 0; each < times; each += 1) marks.push(mark);
  }
  const axis = (short: number, same: number): number[] => {
    let value = 0;
    return marks.slice(0, points).map((mark) => {
      if (mark & short) value += mark & same ? data.readUInt8(at++) : -data.readUInt8(at++);
      else if (!(mark & same)) {
        value += data.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = axis(flags.shortX, flags.sameX);
  const ys = axis(flags.shortY, flags.sameY);
  return ends.map((end, index) => {
    const start = index === 0 ? 0 : ends[index - 1]! + 1;
    return marks
      .slice(start, end + 1)
      .map((mark, own) => ({ x: xs[start + own]!, y: ys[start + own]!, isOn: (mark & flags.isOn) !== 0 }));
  });
}

const parts = { words: 1, areOffsets: 2, scale: 8, more: 32, twoScales: 64, matrix: 128 } as const;

/** Composite glyphs, such as letters with accents, consist of other glyphs that are moved and sometimes scaled. */
function compositeContours(source: GlyphSource, data: Buffer): Point[][] {
  const contours: Point[][] = [];
  let at = 10;
  for (let mark: number = parts.more; mark & parts.more;) {
    spend(source, pointsPerComponent);
    mark = data.readUInt16BE(at);
    const glyph = data.readUInt16BE(at + 2);
    const isWide = (mark & parts.words) !== 0;
    const [x, y] = isWide
      ? [data.readInt16BE(at + 4), data.readInt16BE(at + 6)]
      : [data.readInt8(at + 4), data.readInt8(at + 5)];
    at += isWide ? 8 : 6;
    const scales = mark & parts.matrix ? 4 : mark & parts.twoScales ? 2 : mark & parts.scale ? 1 : 0;
    const numbers = Array.from({ length: scales }, (_, index) => data.readInt16BE(at + 2 * index) / 16_384);
    at += 2 * scales;
    const [a, b, c, d] = matrixOf(numbers);
    const [moveX, moveY] = mark & parts.areOffsets ? [x, y] : [0, 0];
    for (const contour of contoursIn(source, glyph))
      contours.push(
        contour.map((point) => ({
          x: point.x * a + point.y * c + moveX,
          y: point.x * b + point.y * d + moveY,
          isOn: point.isOn,
        })),
      );
  }
  return contours;
}

function matrixOf(numbers: readonly number[]): [number, number, number, number] {
  const [first = 1, second = 0, third = 0, fourth = 1] = numbers;
  if (numbers.length === 4) return [first, second, third, fourth];
  return numbers.length === 2 ? [first, 0, 0, second] : [first, 0, 0, first];
}
