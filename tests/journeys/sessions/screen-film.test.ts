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

/** Counts in the page the film's frames of half size, and those with which the text was not exactly black on white. */
const watchFilm = `
window.watched = { half: 0, blurred: 0 };
{
  const { drawImage } = CanvasRenderingContext2D.prototype;
  const isSharp = (context) => {
    const { data } = context.getImageData(${text.x}, ${text.y}, ${text.width}, ${text.height});
    for (let at = 0; at < data.length; at += 4)
      if (![0x20, 0xff].includes(data[at]) || data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false;
    return true;
  };
  CanvasRenderingContext2D.prototype.drawImage = function (image, ...rest) {
    drawImage.call(this, image, ...rest);
    if (!(image instanceof VideoFrame) || image.displayWidth !== ${size.width / 2}) return;
    watched.half += 1;
    // The text was lossy before the film was recognized; by then all of it has changed.
    if (watched.half > 10 && !isSharp(this)) watched.blurred += 1;
  };
}`;

const cut = (pixels: Uint32Array, box: DisplayBox): Uint32Array =>
  Uint32Array.from(
    { length: box.width * box.height },
    (_, at) => pixels[(box.y + Math.floor(at / box.width)) * size.width + box.x + (at % box.width)]!,
  );

test(
  'text that scrolls inside a film stays exact, and when the film ends all of it becomes exact',
  { skip },
  async () => {
    const operatorPage = await openOperatorPage(fixture.browser);
    await operatorPage.tab.evaluateOnNewDocument(watchFilm);
    {
      using _film = startFilm();
      await fixture.connect(operatorPage);
      // Otherwise a device that encodes quickly would send full size.
      await chooseMenuItem(operatorPage, 'View', 'Fast');
      await operatorPage.until('watched.half >= 50');
    }
    const { blurred } = await operatorPage.evaluate<{ blurred: number }>('watched');
    await fixture.display.done();
    const expected = cut(await fixture.display.pixels(), film);

    assert.equal(blurred, 0, 'frames with blurred text');
    await eventually(
      async () => (await shownPixels(operatorPage, film)).every((pixel, at) => pixel === expected[at]),
      (isExact) => isExact,
    );
    assert.deepEqual([operatorPage.errors, operatorPage.violations], [[], []]);
    await endSession(operatorPage);
  },
);
