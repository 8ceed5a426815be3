/** Films on the screen of a device, encoded on a simulated clock: half size while they run, exact afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEncoder, type Encoder } from '@drawbridge/agent/screen/encoder';
import type { Encoded } from '@drawbridge/agent/screen/encoded-frame';
import { createRateController } from '@drawbridge/agent/screen/rate-controller';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { makePhoto, makeTextPicture } from '../../../kit/display/pictures.ts';
import { readPng } from '../../../kit/display/png-reader.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithout('libvpx');
const skipH264 = skip || skipWithout('libx264');
const size = { width: 960, height: 640 };
const whole = { x: 0, y: 0, ...size };
/** A page of text in the middle of the film. */
const page = { x: 320, y: 160, width: 256, height: 192 };

interface Film extends Disposable {
  encoder: Encoder;
  now: number;
  /** Shows the next frame 33 ms later. */
  next(text?: number, box?: Box): Promise<Encoded>;
  /** The pixels on the screen. */
  words: Uint32Array;
}

type View = Parameters<Encoder['configure']>[0];

/** By default each reading of the clock takes 20 ms, so that encoding VP8 seems slow. */
async function startFilm(view: Omit<View, 'h264'> & Partial<View>, readingMs = 20): Promise<Film> {
  const rateController = createRateController();
  const film = { now: 1_000, words: new Uint32Array(size.width * size.height) } as Film;
  const encoder = await createEncoder(size, {
    rateController,
    video: true,
    clock: () => (film.now += readingMs),
  });
  encoder.configure({ h264: false, ...view });
  let frame = 0;
  Object.assign(film, {
    encoder,
    async next(text?: number, box: Box = page) {
      film.now += 33;
      frame += 1;
      film.words.set(makePhoto(frame, size));
      if (text !== undefined) put(film.words, box, makeTextPicture(text, box));
      rateController.sent(frame, film.now);
      rateController.shown(frame, film.now + 5);
      return encoder.take([{ box: whole, words: film.words, offset: 0, stride: size.width }], film.now);
    },
    [Symbol.dispose]: () => encoder.close(),
  });
  // The first picture is sent as JPEG.
  const { video } = await film.next();
  assert.equal(video, undefined);
  return film;
}

function put(words: Uint32Array, box: Box, pixels: Uint32Array): void {
  for (let row = 0; row < box.height; row += 1)
    words.set(pixels.subarray(row * box.width, (row + 1) * box.width), (box.y + row) * size.width + box.x);
}

async function play(film: Film, frames: number, text?: (frame: number) => number): Promise<Encoded[]> {
  const all: Encoded[] = [];
  for (let frame = 0; frame < frames; frame += 1) all.push(await film.next(text?.(frame)));
  return all;
}

const sizesOf = (frames: readonly Encoded[]): string[] =>
  frames.map(({ video }) => (video?.half ? 'half' : 'full'));

test('a film is sent at half size after a few frames, with one key frame', { skip }, async () => {
  using film = await startFilm({ quality: 'auto', half: true });

  const frames = await play(film, 20);

  assert.deepEqual(sizesOf(frames), [...Array<string>(6).fill('full'), ...Array<string>(14).fill('half')]);
  assert.deepEqual(
    frames.slice(6).map(({ video }) => video!.key),
    [true, ...Array<boolean>(13).fill(false)],
  );
});

test(
  'a film stays at full size in sharp quality, and for a page that cannot enlarge it',
  { skip },
  async () => {
    using sharp = await startFilm({ quality: 'sharp', half: true });
    using old = await startFilm({ quality: 'auto', half: false });

    const frames = [...(await play(sharp, 20)), ...(await play(old, 20))];

    assert.ok(!sizesOf(frames).includes('half'));
  },
);

test(
  'a device that encodes quickly sends films at full size, unless speed matters most',
  { skip },
  async () => {
    using auto = await startFilm({ quality: 'auto', half: true }, 1);
    using fast = await startFilm({ quality: 'fast', half: true }, 1);

    assert.ok(!sizesOf(await play(auto, 20)).includes('half'));
    assert.deepEqual(sizesOf((await play(fast, 20)).slice(6)), Array<string>(14).fill('half'));
  },
);

test(
  'an operator who can decode H.264 gets it at full size from a device that would send VP8 at half size',
  { skip: skipH264 },
  async () => {
    using film = await startFilm({ quality: 'auto', half: true, h264: true });

    const frames = await play(film, 20);

    assert.deepEqual(sizesOf(frames), Array<string>(20).fill('full'));
    assert.deepEqual(
      frames.map(({ video }) => [video!.key, video!.h264]),
      [[true, true], ...frames.slice(1).map(() => [false, true])],
    );
  },
);

test('H.264 is sent at half size too if encoding it is slow', { skip: skipH264 }, async () => {
  using film = await startFilm({ quality: 'auto', half: true, h264: true }, 30);

  const frames = (await play(film, 20)).slice(6);

  assert.deepEqual(
    frames.map(({ video }) => [video!.key, video!.half, video!.h264]),
    frames.map((_, frame) => [frame === 0, true, true]),
  );
});

test('the codec changes with a key frame', { skip: skipH264 }, async () => {
  using film = await startFilm({ quality: 'sharp', half: true });
  await play(film, 2);
  film.encoder.configure({ quality: 'sharp', half: true, h264: true });
  const changed = await play(film, 2);
  film.encoder.configure({ quality: 'sharp', half: true, h264: false });
  const back = await play(film, 2);

  assert.deepEqual(
    [...changed, ...back].map(({ video }) => [video!.key, video!.h264]),
    [
      [true, true],
      [false, true],
      [true, undefined],
      [false, undefined],
    ],
  );
});

const films = {
  'at half size': { quality: 'fast', half: true },
  'of H.264 at half size': { quality: 'fast', half: true, h264: true },
  'of H.264 at full size': { quality: 'sharp', half: true, h264: true },
} as const;
for (const [name, view] of Object.entries(films))
  test(
    `text that changes inside a film ${name} arrives exactly with every frame`,
    { skip: 'h264' in view ? skipH264 : skip },
    () => textStaysExact(view),
  );

async function textStaysExact(view: Parameters<typeof startFilm>[0]): Promise<void> {
  using film = await startFilm(view, 1);
  await play(film, 10, () => 1);
  const shown = new Uint32Array(page.width * page.height);

  for (let text = 2; text < 6; text += 1) {
    const { tiles, video } = await film.next(text);
    for (const { x, y, image } of tiles) {
      const { width, height, pixels } = readPng(image);
      for (let at = 0; at < width * height; at += 1) {
        const [column, row] = [x + (at % width) - page.x, y + Math.floor(at / width) - page.y];
        if (column >= 0 && column < page.width && row >= 0 && row < page.height)
          shown[row * page.width + column] = pixels[at]! & 0xffffff;
      }
    }

    assert.deepEqual([video!.half, video!.h264], [view.quality === 'fast' || undefined, view.h264]);
    assert.ok(!video!.boxes.some((box) => overlaps(box, page)), 'the film does not touch the page');
    assert.deepEqual(shown, makeTextPicture(text, page));
  }
}

test(
  'frames that are mostly text, and film in between, do not change the size back and forth',
  { skip },
  async () => {
    using film = await startFilm({ quality: 'auto', half: true });
    await play(film, 10);
    const mostly = { x: 0, y: 0, width: 960, height: 480 };

    const frames: Encoded[] = [];
    for (let frame = 0; frame < 20; frame += 1)
      frames.push(await (frame % 4 === 0 ? film.next(frame, mostly) : film.next()));

    assert.ok(!sizesOf(frames).includes('half'));
  },
);

/** These pixels of the screen. */
const areaOf = ({ words }: Film, box: Box) => ({
  box,
  words,
  offset: box.y * size.width + box.x,
  stride: size.width,
});

test('a small change while a film pauses is exact, and the film goes on at half size', { skip }, async () => {
  using film = await startFilm({ quality: 'auto', half: true });
  await play(film, 10);
  const picture = { x: 64, y: 64, width: 200, height: 200 };
  put(film.words, picture, makePhoto(99, picture));

  const { tiles, video } = await film.encoder.take([areaOf(film, picture)], film.now);
  const [next] = await play(film, 1);

  assert.deepEqual([tiles.length, video, next?.video?.half, next?.video?.key], [1, undefined, true, false]);
});

test('a small picture that changes beside a film is exact', { skip }, async () => {
  using film = await startFilm({ quality: 'auto', half: true });
  await play(film, 10);
  const icon = { x: 16, y: 16, width: 96, height: 96 };
  const right = { ...whole, x: 320, width: 640 };
  film.words.set(makePhoto(99, size));

  const { tiles, video } = await film.encoder.take([areaOf(film, icon), areaOf(film, right)], film.now + 33);

  assert.deepEqual([tiles.map(({ x, y }) => [x, y]), video?.half], [[[16, 16]], true]);
  assert.ok(!video!.boxes.some((box) => overlaps(box, icon)));
});

const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test('the first picture is sent as JPEG and made exact at once, in larger parts once it was shown soon', async () => {
  using film = await startFilm({ quality: 'auto', half: true });

  assert.ok(film.encoder.refineDueAt()! <= film.now, 'without a rest');
  assert.ok(film.encoder.refinesAhead());
  const steps: number[] = [];
  while (film.encoder.refineDueAt() !== undefined && steps.length < 10)
    steps.push((await film.encoder.refine(film.now, 0)).tiles.length);

  // 600 k pixels, of which a step makes 512 k exact.
  assert.equal(steps.length, 2);
});

test('when a film ends, all of it is made exact soon, in few steps', { skip }, async () => {
  using film = await startFilm({ quality: 'auto', half: true });
  await play(film, 20);
  const lastAt = film.now;

  const due = film.encoder.refineDueAt()!;
  assert.ok(due - lastAt <= 100, `only ${due - lastAt} ms later`);
  film.now = due + 1;
  const steps: number[] = [];
  while (film.encoder.refineDueAt() !== undefined && steps.length < 10) {
    const { tiles, video } = await film.encoder.refine(film.now, film.now - lastAt);
    assert.equal(video, undefined);
    steps.push(tiles.length);
  }

  assert.equal(steps.length, 2);
});
