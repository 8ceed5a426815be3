/** Draws smooth text on an X11 display with the TrueType fonts of the machine. */
import type { X11Connection } from '../connection.ts';
import { loadTextBitmaps } from './text-bitmaps.ts';
import type { TextRenderer } from './text-renderer.ts';

/** The only supported pixel format: 4 bytes each, blue first. */
const depth = 24;
const wholePixels = 2;

/** Returns undefined if the machine has no such fonts, or the display has another pixel format. */
export async function createTrueTypeRenderer({
  client,
  root,
  screen,
}: X11Connection): Promise<TextRenderer | undefined> {
  const bitmaps = screen.root_depth === depth ? await loadTextBitmaps() : undefined;
  if (!bitmaps) return undefined;
  const gc = client.AllocID();
  client.CreateGC(gc, root, {});
  return {
    height: bitmaps.height,
    widthOf: bitmaps.widthOf,
    write(window, colours, { x, y }, text) {
      const { width, height, words } = bitmaps.draw(colours, text);
      const bytes = Buffer.from(words.buffer);
      client.PutImage(wholePixels, window, gc, width, height, x, y, 0, depth, bytes);
    },
    close: () => client.FreeGC(gc),
  };
}
