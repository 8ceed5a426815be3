/** Draws text and filled boxes in windows, with the best available font. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { wrapText } from '../../../panes/wrap-text.ts';
import type { X11Connection } from '../connection.ts';
import { createDisplayFontRenderer } from '../fonts/display-font.ts';
import { createTrueTypeRenderer } from '../fonts/truetype-font.ts';
import type { TextRenderer } from '../fonts/text-renderer.ts';

export interface Painter {
  lineHeight: number;
  widthOf(text: string): number;
  /** Splits the text into lines that are no wider than this; longer words are split. */
  wrap(text: string, width: number): string[];
  fill(window: number, colour: number, box: Box): void;
  /** `y` is the top of the line. */
  write: TextRenderer['write'];
  close(): void;
}

const leading = 4;

export async function openPainter(connection: X11Connection): Promise<Painter> {
  const { client, root } = connection;
  const renderer =
    (await createTrueTypeRenderer(connection)) ?? (await createDisplayFontRenderer(connection));
  const gc = client.AllocID();
  client.CreateGC(gc, root, {});
  return {
    lineHeight: renderer.height + leading,
    widthOf: renderer.widthOf,
    wrap: (text, width) => wrapText(text, width, renderer.widthOf),
    fill(window, colour, { x, y, width, height }) {
      client.ChangeGC(gc, { foreground: colour });
      client.PolyFillRectangle(window, gc, [x, y, width, height]);
    },
    write: (window, colours, { x, y }, text) =>
      renderer.write(window, colours, { x, y: y + leading / 2 }, text),
    close() {
      client.FreeGC(gc);
      renderer.close();
    },
  };
}
