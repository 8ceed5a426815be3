/** Rasterizes the outline of a glyph into a bitmap of pixel coverage. */
import type { Point, Typeface } from './typeface.ts';

export interface GlyphBitmap {
  /** The offset of the bitmap to the right of the pen position and above the baseline. */
  left: number;
  top: number;
  width: number;
  height: number;
  advance: number;
  /** 0 to 255 for each pixel. */
  coverage: Uint8Array;
}

interface Edge {
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
  /** 1 if the edge goes down, -1 if it goes up. */
  direction: 1 | -1;
}

const curveSteps = 8;
/** Scan lines for each row of pixels. */
const subLines = 4;
/** The largest plausible size of a glyph, in ems. */
const maxEms = 32;

/** Throws RangeError if the glyph is too large to belong to an undamaged font. */
export function rasterizeGlyph(face: Typeface, glyph: number, pixelsPerEm: number): GlyphBitmap {
  const scale = pixelsPerEm / face.unitsPerEm;
  const outline = face
    .contoursOf(glyph)
    .map((contour) => flatten(contour).map(([x, y]): [number, number] => [x * scale, -y * scale]));
  const all = outline.flat();
  const advance = Math.round(face.advanceOf(glyph) * scale);
  if (all.length === 0) return { left: 0, top: 0, width: 0, height: 0, advance, coverage: new Uint8Array(0) };
  const left = Math.floor(Math.min(...all.map(([x]) => x)));
  const upper = Math.floor(Math.min(...all.map(([, y]) => y)));
  const width = Math.ceil(Math.max(...all.map(([x]) => x))) - left + 1;
  const height = Math.ceil(Math.max(...all.map(([, y]) => y))) - upper + 1;
  if (Math.max(width, height) > maxEms * pixelsPerEm) throw new RangeError('A glyph is too large.');
  const edges = outline.flatMap((line) => edgesOf(line.map(([x, y]) => [x - left, y - upper])));
  return { left, top: -upper, width, height, advance, coverage: fill(edges, width, height) };
}

/** Approximates curves by straight lines. Between two control points the format implies a point on the outline. */
function flatten(contour: readonly Point[]): [number, number][] {
  const whole = contour.flatMap((point, index): Point[] => {
    const next = contour[(index + 1) % contour.length]!;
    if (point.isOn || next.isOn) return [point];
    return [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, isOn: true }];
  });
  const start = whole.findIndex(({ isOn }) => isOn);
  if (start < 0) return [];
  const rotated = [...whole.slice(start), ...whole.slice(0, start), whole[start]!];
  const line: [number, number][] = [[rotated[0]!.x, rotated[0]!.y]];
  for (let index = 1; index < rotated.length; index += 1) {
    const point = rotated[index]!;
    if (point.isOn) line.push([point.x, point.y]);
    else line.push(...curvePoints(line.at(-1)!, point, rotated[++index]!));
  }
  return line;
}

const curvePoints = ([fromX, fromY]: [number, number], control: Point, to: Point): [number, number][] =>
  Array.from({ length: curveSteps }, (_, index) => {
    const t = (index + 1) / curveSteps;
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return [a * fromX + b * control.x + c * to.x, a * fromY + b * control.y + c * to.y];
  });

const edgesOf = (line: readonly (readonly number[])[]): Edge[] =>
  line.flatMap((from, index): Edge[] => {
    const to = line[(index + 1) % line.length]!;
    const [fromX, fromY, toX, toY] = [from[0]!, from[1]!, to[0]!, to[1]!];
    if (fromY === toY) return [];
    return fromY < toY
      ? [{ fromX, fromY, toX, toY, direction: 1 }]
      : [{ fromX: toX, fromY: toY, toX: fromX, toY: fromY, direction: -1 }];
  });

function fill(edges: readonly Edge[], width: number, height: number): Uint8Array {
  const sums = new Float32Array(width * height);
  for (let sub = 0; sub < height * subLines; sub += 1) {
    const y = (sub + 0.5) / subLines;
    const row = sums.subarray(Math.floor(sub / subLines) * width, (Math.floor(sub / subLines) + 1) * width);
    const crossings = edges
      .filter(({ fromY, toY }) => fromY <= y && y < toY)
      .map(({ fromX, fromY, toX, toY, direction }) => ({
        x: fromX + ((y - fromY) * (toX - fromX)) / (toY - fromY),
        direction,
      }))
      .toSorted((one, other) => one.x - other.x);
    let winding = 0;
    for (const [index, { x, direction }] of crossings.entries()) {
      if (winding !== 0) addSpan(row, crossings[index - 1]!.x, x);
      winding += direction;
    }
  }
  return Uint8Array.from(sums, (sum) => Math.min(255, Math.round((sum * 255) / subLines)));
}

/** Pixels at the ends of the span are covered partly. */
function addSpan(row: Float32Array, from: number, to: number): void {
  for (let pixel = Math.max(0, Math.floor(from)); pixel < Math.min(row.length, to); pixel += 1)
    row[pixel]! += Math.min(to, pixel + 1) - Math.max(from, pixel);
}
