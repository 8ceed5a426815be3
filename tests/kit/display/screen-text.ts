/**
 * Finds texts in a window of the agent: a text is present if its glyphs, drawn the same way, are found pixel
 * by pixel.
 */
import { openPainter } from '@drawbridge/agent/platform/linux/x11/windows/painter';
import type { TextColours } from '@drawbridge/agent/platform/linux/x11/fonts/text-renderer';
import type { DisplayBox, TestDisplay } from './display.ts';

/** Glyphs overlap their neighbours a little: this many pixels at both ends are not compared. */
const edge = 3;

/** Whether each of these texts is somewhere in this area of the screen. */
export async function areTextsShown(
  display: TestDisplay,
  box: DisplayBox,
  { texts, colours }: { texts: readonly string[]; colours: TextColours },
): Promise<boolean[]> {
  const { width } = await display.connection.call<{ width: number }>((done) =>
    display.connection.client.GetGeometry(display.connection.root, done),
  );
  const shown = crop(await display.pixels(), width, box);
  const found: boolean[] = [];
  for (const text of texts) {
    const letters = await renderText(display, width, { text, colours });
    found.push(contains(shown, letters));
  }
  return found;
}

interface PixelImage {
  width: number;
  height: number;
  pixels: Uint32Array;
}

function crop(pixels: Uint32Array, stride: number, { x, y, width, height }: DisplayBox): PixelImage {
  const part = new Uint32Array(width * height);
  for (let row = 0; row < height; row += 1)
    part.set(pixels.subarray((y + row) * stride + x, (y + row) * stride + x + width), row * width);
  return { width, height, pixels: part };
}

/** Draws the text in a temporary window at the lower edge of the screen and reads its pixels. */
async function renderText(
  display: TestDisplay,
  stride: number,
  { text, colours }: { text: string; colours: TextColours },
): Promise<PixelImage> {
  const { client, root } = display.connection;
  const pen = await openPainter(display.connection);
  const [width, height] = [pen.widthOf(text), pen.lineHeight];
  const y = Math.floor((await display.pixels()).length / stride) - height;
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, y, width, height, 0, 0, 0, 0, {
    backgroundPixel: colours.background,
    overrideRedirect: true,
  });
  client.MapWindow(window);
  client.RaiseWindow(window);
  pen.write(window, colours, { x: 0, y: 0 }, text);
  const picture = crop(await display.pixels(), stride, { x: edge, y, width: width - 2 * edge, height });
  client.DestroyWindow(window);
  pen.close();
  return picture;
}

function contains(whole: PixelImage, part: PixelImage): boolean {
  for (let y = 0; y + part.height <= whole.height; y += 1)
    for (let x = 0; x + part.width <= whole.width; x += 1) if (isAt(whole, part, { x, y })) return true;
  return false;
}

function isAt(whole: PixelImage, part: PixelImage, at: { x: number; y: number }): boolean {
  for (let row = 0; row < part.height; row += 1)
    for (let column = 0; column < part.width; column += 1)
      if (whole.pixels[(at.y + row) * whole.width + at.x + column] !== part.pixels[row * part.width + column])
        return false;
  return true;
}
