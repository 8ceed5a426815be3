/** Draws text with the fonts of the display, which every display has; missing characters become question marks. */
import type x11 from 'x11';
import type { X11Connection } from '../connection.ts';
import type { TextRenderer } from './text-renderer.ts';

/** Every display has the last one. */
const fonts = [
  '-misc-fixed-medium-r-normal--18-*-*-*-*-*-iso10646-1',
  '-misc-fixed-medium-r-normal--15-*-*-*-*-*-iso10646-1',
  '-misc-fixed-medium-r-*--1?-*-*-*-*-*-iso10646-1',
  '-*-*-medium-r-normal--1?-*-*-*-*-*-iso10646-1',
  'fixed',
];
const maxCharacters = 250;

export async function createDisplayFontRenderer(connection: X11Connection): Promise<TextRenderer> {
  const { client, root, call } = connection;
  const [font, gc] = [client.AllocID(), client.AllocID()];
  client.OpenFont(font, await bestFont(connection));
  const about = await call<x11.Font>((done) => client.QueryFont(font, done));
  client.CreateGC(gc, root, { font });
  return {
    height: about.fontAscent + about.fontDescent,
    widthOf: (text) =>
      Array.from(replaceMissing(text, about)).reduce((sum, character) => sum + widthIn(about, character), 0),
    write(window, { foreground }, { x, y }, text) {
      client.ChangeGC(gc, { foreground });
      const line = replaceMissing(text, about).slice(0, maxCharacters);
      client.PolyText16(window, gc, x, y + about.fontAscent, [line]);
    },
    close() {
      client.FreeGC(gc);
      client.CloseFont(font);
    },
  };
}

async function bestFont({ client, call }: X11Connection): Promise<string> {
  for (const pattern of fonts) {
    const [found] = await call<string[]>((done) => client.ListFonts(pattern, 1, done));
    if (found !== undefined) return found;
  }
  return 'fixed';
}

function replaceMissing(text: string, { maxByte1, maxCharOrByte2 }: x11.Font): string {
  const last = maxByte1 * 256 + maxCharOrByte2;
  return Array.from(text, (character) => (character.codePointAt(0)! <= last ? character : '?')).join('');
}

function widthIn(font: x11.Font, character: string): number {
  const code = character.charCodeAt(0);
  const columns = font.maxCharOrByte2 - font.minCharOrByte2 + 1;
  const index = ((code >> 8) - font.minByte1) * columns + ((code & 0xff) - font.minCharOrByte2);
  return font.charInfos[index]?.characterWidth ?? font.maxBounds.characterWidth;
}
