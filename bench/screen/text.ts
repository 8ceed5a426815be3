/** Renders coloured lines of source code with anti-aliased glyphs, like an editor or a terminal. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rasterizeGlyph, type GlyphBitmap } from '@drawbridge/agent/platform/linux/x11/fonts/rasterize';
import { readTypeface } from '@drawbridge/agent/platform/linux/x11/fonts/typeface';

const pixelsPerEm = 15;
export const lineHeight = 18;
export const backgroundColour = 0x101418;
const [ink, keyword, remark, quoted, counter] = [0xd8dee9, 0xc792ea, 0x7f9f7f, 0xa3be8c, 0xebcb8b];

export interface LineRenderer {
  /** Advance width of a glyph. */
  advance: number;
  /** The pixels of one line of text. */
  line(text: string, width: number): Uint32Array;
}

/** Throws if no monospaced font is installed. */
export function openLineRenderer(): LineRenderer {
  const [file] = globSync(
    '/usr/share/fonts/**/{DejaVuSansMono,LiberationMono-Regular,NotoSansMono-Regular}.ttf',
  );
  const face = file === undefined ? undefined : readTypeface(readFileSync(file));
  if (!face) throw new Error('No typeface of fixed width is installed, such as fonts-dejavu-core.');
  const letters = new Map<string, GlyphBitmap>();
  const letterOf = (character: string): GlyphBitmap => {
    const known = letters.get(character);
    const letter = known ?? rasterizeGlyph(face, face.glyphOf(character.codePointAt(0)!), pixelsPerEm);
    letters.set(character, letter);
    return letter;
  };
  const { advance } = letterOf('m');
  return {
    advance,
    line(text, width) {
      const pixels = new Uint32Array(width * lineHeight).fill(backgroundColour);
      const colours = coloursOf(text);
      [...text].forEach((character, index) => {
        const at = { x: index * advance, width, colour: colours[index]! };
        if (at.x + advance <= width) stamp(pixels, letterOf(character), at);
      });
      return pixels;
    },
  };
}

function stamp(
  pixels: Uint32Array,
  letter: GlyphBitmap,
  { x, width, colour }: { x: number; width: number; colour: number },
): void {
  const top = lineHeight - 4 - letter.top;
  for (let row = 0; row < letter.height; row += 1)
    for (let column = 0; column < letter.width; column += 1) {
      const [toX, toY] = [x + letter.left + column, top + row];
      if (toX < 0 || toX >= width || toY < 0 || toY >= lineHeight) continue;
      const covered = letter.coverage[row * letter.width + column]!;
      if (covered > 0) pixels[toY * width + toX] = mix(colour, covered);
    }
}

/** Blends text colour and background by the pixel's coverage. */
function mix(colour: number, covered: number): number {
  const channel = (shift: number): number => {
    const [front, back] = [(colour >> shift) & 255, (backgroundColour >> shift) & 255];
    return Math.round(back + ((front - back) * covered) / 255) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

const words: readonly [RegExp, number][] = [
  [/^ *\d+/g, counter],
  [/\b(import|export|const|let|function|return|if|else|for|await|async|interface|type|from|of)\b/g, keyword],
  [/'[^']*'/g, quoted],
  [/(\/\/|\/\*\*).*$/g, remark],
];

function coloursOf(text: string): number[] {
  const colours = Array.from(text, () => ink);
  for (const [pattern, colour] of words)
    for (const found of text.matchAll(pattern))
      colours.fill(colour, found.index, found.index + found[0].length);
  return colours;
}

/** Yields numbered lines of this project's source code, endlessly. */
export function* sourceLines(): Generator<string> {
  const folder = join(import.meta.dirname, '../../contract/src/session');
  const lines = globSync('*.ts', { cwd: folder })
    .toSorted()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  for (let number = 0; ; number += 1) yield `${String(number).padStart(6)}  ${lines[number % lines.length]}`;
}
