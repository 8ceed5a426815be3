/** Draws smooth text into memory with the TrueType fonts of the machine. */
import { rasterizeGlyph, type GlyphBitmap } from './rasterize.ts';
import type { TextColours } from './text-renderer.ts';
import type { Typeface } from './typeface.ts';
import { findTypefaces } from './typefaces.ts';

const pixelsPerEm = 15;
const maxWidth = 4_096;
/** Texts come from other people, who can use every character there is. */
const maxCachedGlyphs = 2_000;

export interface TextBitmaps {
  height: number;
  widthOf(text: string): number;
  /** One word for each pixel, blue in the lowest byte. */
  draw(colours: TextColours, text: string): { width: number; height: number; words: Uint32Array };
}

/** Returns undefined if the machine has no such fonts. */
export async function loadTextBitmaps(): Promise<TextBitmaps | undefined> {
  const faces = await findTypefaces();
  const [first] = faces;
  if (!first) return undefined;
  const glyphOf = cachedGlyphs(faces, first);
  const glyphsOf = (text: string): GlyphBitmap[] => Array.from(text, glyphOf);
  const widthOf = (text: string): number => glyphsOf(text).reduce((sum, { advance }) => sum + advance, 0);
  const ascent = Math.ceil((first.ascent * pixelsPerEm) / first.unitsPerEm);
  const height = ascent + Math.ceil((first.descent * pixelsPerEm) / first.unitsPerEm);
  return {
    height,
    widthOf,
    draw({ foreground, background }, text) {
      const width = Math.min(widthOf(text) + 2, maxWidth);
      const words = new Uint32Array(width * height).fill(background);
      let at = 0;
      for (const glyph of glyphsOf(text)) {
        blend(words, { width, height, foreground }, glyph, { x: at + glyph.left, y: ascent - glyph.top });
        at += glyph.advance;
      }
      return { width, height, words };
    },
  };
}

function cachedGlyphs(faces: readonly Typeface[], first: Typeface): (character: string) => GlyphBitmap {
  const known = new Map<string, GlyphBitmap>();
  const draw = (point: number): GlyphBitmap => {
    try {
      const face = faces.find((each) => each.glyphOf(point) !== 0) ?? first;
      return rasterizeGlyph(face, face.glyphOf(point), pixelsPerEm);
    } catch {
      // A damaged glyph is left out, because the rest of the text must still be shown.
      return { left: 0, top: 0, width: 0, height: 0, advance: pixelsPerEm, coverage: new Uint8Array(0) };
    }
  };
  return (character) => {
    const glyph = known.get(character) ?? draw(character.codePointAt(0)!);
    if (known.size >= maxCachedGlyphs) known.clear();
    known.set(character, glyph);
    return glyph;
  };
}

function blend(
  pixels: Uint32Array,
  { width, height, foreground }: { width: number; height: number; foreground: number },
  glyph: GlyphBitmap,
  at: { x: number; y: number },
): void {
  for (const [index, cover] of glyph.coverage.entries()) {
    const x = at.x + (index % glyph.width);
    const y = at.y + Math.floor(index / glyph.width);
    if (cover === 0 || x < 0 || y < 0 || x >= width || y >= height) continue;
    pixels[y * width + x] = mix(pixels[y * width + x]!, foreground, cover / 255);
  }
}

const mix = (under: number, over: number, share: number): number =>
  [16, 8, 0].reduce((sum, shift) => {
    const [low, high] = [(under >> shift) & 0xff, (over >> shift) & 0xff];
    return sum | (Math.round(low + (high - low) * share) << shift);
  }, 0);
