/**
 * A film runs on the screen of a device, around a page of small text that scrolls. The operator views it in a
 * real browser.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DisplayBox } from '../../kit/display/display.ts';
import { makePhoto, makeTextPicture } from '../../kit/display/pictures.ts';
import { shownPixels } from '../../kit/browser/remote-input.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import {
  chooseMenuItem,
  missingPrograms,
  endSession,
  openDesktopFixture,
  openOperatorPage,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';

const skip = missingPrograms() || skipWithout('libvpx');
const size = { width: 1_024, height: 640 };
let fixture: DesktopFixture;
before(async () => {
  if (!skip) fixture = await openDesktopFixture(size);
});
after(() => fixture?.[Symbol.asyncDispose]());

const film = { x: 32, y: 128, width: 960, height: 480 };
/** A page with a plain margin, in the middle of the film. */
const page = { x: 304, y: 224, width: 288, height: 192 };
const text = { x: 320, y: 240, width: 256, height: 160 };

/** Copies whole rows from the corner of one picture to a position in another. */
function put(to: Uint32Array, toWidth: number, box: DisplayBox, pixels: Uint32Array): void {
  for (let row = 0; row < box.height; row += 1)
    to.set(pixels.subarray(row * box.width, (row + 1) * box.width), (box.y + row) * toWidth + box.x);
}

const within = (outer: DisplayBox, box: DisplayBox): DisplayBox => ({
  ...box,
  x: box.x - outer.x,
  y: box.y - outer.y,
});

/** Draws thirty pictures a second until it is disposed; the text moves up by one row with each. */
function startFilm(): Disposable {
  const photos = [1, 2, 3, 4].map((seed) => makePhoto(seed, film));
  const lines = makeTextPicture(5, { width: text.width, height: 4 * text.height });
  const white = new Uint32Array(page.width * page.height).fill(0xffffff);
  let frame = 0;
  const timer = setInterval(() => {
    const picture = photos[frame % photos.length]!;
    const scrolled = lines.subarray((frame % (3 * text.height)) * text.width);
    put(picture, film.width, within(film, page), white);
    put(picture, film.width, within(film, text), scrolled);
    fixture.display.draw(film, picture);
    frame += 1;
  }, 33);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

interface FilmView {
  codec: 'vp8' | 'avc1';
  /** The width of the frames on which the text must be sharp. */
  width: number;
  quality: 'Fast' | 'Sharp';
}

/** Otherwise a device that encodes quickly would send full size, and one that encodes slowly half size. */
const views: Record<string, FilmView> = {
  'VP8 at half size': { codec: 'vp8', width: size.width / 2, quality: 'Fast' },
  'H.264 at half size': { codec: 'avc1', width: size.width / 2, quality: 'Fast' },
  'H.264 at full size': { codec: 'avc1', width: size.width, quality: 'Sharp' },
};

/** Counts in the page the film's frames of this size, and those with which the text was not exactly black on white. */
const watchFilm = ({ codec, width }: FilmView): string => `
window.watched = { frames: 0, blurred: 0, sharpInARow: 0, codecs: [] };
{
  const { isConfigSupported } = VideoDecoder;
  const { configure } = VideoDecoder.prototype;
  VideoDecoder.isConfigSupported = (config) =>
    config.codec.startsWith('avc1') && ${codec !== 'avc1'} ? Promise.resolve({ supported: false }) : isConfigSupported(config);
  VideoDecoder.prototype.configure = function (config) {
    watched.codecs.push(config.codec);
    configure.call(this, config);
  };
  const { drawImage } = CanvasRenderingContext2D.prototype;
  const isSharp = (context) => {
    const { data } = context.getImageData(${text.x}, ${text.y}, ${text.width}, ${text.height});
    for (let at = 0; at < data.length; at += 4)
      if (![0x20, 0xff].includes(data[at]) || data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false;
    return true;
  };
  CanvasRenderingContext2D.prototype.drawImage = function (image, ...rest) {
    drawImage.call(this, image, ...rest);
    if (!(image instanceof VideoFrame) || image.displayWidth !== ${width} || !window.isFilm) return;
    watched.frames += 1;
    const sharp = isSharp(this);
    watched.sharpInARow = sharp ? watched.sharpInARow + 1 : 0;
    // The text was lossy before the film was recognized; by then all of it has changed.
    if (watched.frames > 20 && !sharp) watched.blurred += 1;
  };
}`;

const cut = (pixels: Uint32Array, box: DisplayBox): Uint32Array =>
  Uint32Array.from(
    { length: box.width * box.height },
    (_, at) => pixels[(box.y + Math.floor(at / box.width)) * size.width + box.x + (at % box.width)]!,
  );

for (const [name, view] of Object.entries(views))
  test(
    `text that scrolls inside a film stays exact, and when the film ends all of it becomes exact: ${name}`,
    { skip: skip || (view.codec === 'avc1' && skipWithout('libx264')) },
    () => textStaysExact(view),
  );

async function textStaysExact(view: FilmView): Promise<void> {
  const operatorPage = await openOperatorPage(fixture.browser);
  await operatorPage.tab.evaluateOnNewDocument(watchFilm(view));
  {
    using _film = startFilm();
    await fixture.connect(operatorPage);
    await chooseMenuItem(operatorPage, 'View', view.quality);
    await operatorPage.evaluate('window.isFilm = true');
    await operatorPage.until('watched.frames >= 60 && watched.sharpInARow >= 40');
  }
  const { blurred, codecs } = await operatorPage.evaluate<{ blurred: number; codecs: string[] }>('watched');
  await fixture.display.done();
  const expected = cut(await fixture.display.pixels(), film);

  // Frames of full size are also sent while a film that stalls is not recognized, and cannot be told from those of a film.
  if (view.width < size.width) assert.equal(blurred, 0, 'frames with blurred text');
  assert.ok(codecs.at(-1)!.startsWith(view.codec), `decoded as ${codecs.join()}`);
  await eventually(
    async () => (await shownPixels(operatorPage, film)).every((pixel, at) => pixel === expected[at]),
    (isExact) => isExact,
  );
  assert.deepEqual([operatorPage.errors, operatorPage.violations], [[], []]);
  await endSession(operatorPage);
}
