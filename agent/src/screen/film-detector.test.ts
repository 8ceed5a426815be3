/** When a film begins and ends: on a simulated clock, without a screen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFilmDetector, type FilmDetector } from './film-detector.ts';

const whole = 1_920 * 1_080;

/** Shows this many frames and returns the time of the last. */
function play(
  film: FilmDetector,
  {
    from = 1_000,
    frames,
    every = 33,
    pixels = whole,
  }: { from?: number; frames: number; every?: number; pixels?: number },
): number {
  for (let frame = 0; frame < frames; frame += 1) film.changed(pixels, from + frame * every);
  return from + (frames - 1) * every;
}

test('a large area that changes quickly is a film after six frames', () => {
  const film = createFilmDetector();

  const fifth = play(film, { frames: 5 });
  assert.equal(film.isFilm(fifth), false);

  film.changed(whole, fifth + 33);
  assert.equal(film.isFilm(fifth + 33), true);
});

test('frames that take long to encode are a film all the same, so that it can be sent at half size', () => {
  const film = createFilmDetector();

  for (let at = 1_000; at < 2_600; at += 200) {
    film.changed(whole, at);
    film.encoded(at + 160);
  }

  assert.equal(film.isFilm(2_600), true);
});

test('small changes, slow changes and a single large one are no film', () => {
  const [small, slow, single] = [createFilmDetector(), createFilmDetector(), createFilmDetector()];

  const smallAt = play(small, { frames: 60, pixels: 300 * 1_024 });
  const slowAt = play(slow, { frames: 60, every: 150 });
  single.changed(whole, 1_000);

  assert.deepEqual([small.isFilm(smallAt), slow.isFilm(slowAt), single.isFilm(1_000)], [false, false, false]);
});

test('a film goes on through short pauses, smaller motion and small changes beside it', () => {
  const film = createFilmDetector();
  const paused = play(film, { frames: 10 }) + 450;
  film.changed(whole, paused);
  const smaller = play(film, { from: paused + 33, frames: 100, pixels: 200 * 1_024 });
  film.changed(200, smaller + 5);

  assert.equal(film.isFilm(smaller + 5), true);
});

test('a film ends half a second after its last large frame, and then needs six frames again', () => {
  const film = createFilmDetector();
  const last = play(film, { frames: 30 });
  film.changed(100 * 1_024, last + 400);

  assert.deepEqual([film.isFilm(last + 500), film.isFilm(last + 501)], [true, false]);

  const fifth = play(film, { from: last + 2_000, frames: 5 });
  assert.equal(film.isFilm(fifth), false);
});

test('a film that pauses every 400 ms stays one: it is not switched on and off', () => {
  const film = createFilmDetector();
  let at = play(film, { frames: 10 });
  const seen = new Set<boolean>();
  for (let round = 0; round < 50; round += 1) {
    at = play(film, { from: at + 400, frames: 3 });
    seen.add(film.isFilm(at));
  }

  assert.deepEqual([...seen], [true]);
});

test('after a frame that was mostly text there is no film for three seconds', () => {
  const film = createFilmDetector();
  const rejected = play(film, { frames: 10 });
  film.reject(rejected);
  const last = play(film, { from: rejected + 33, frames: 100 });

  assert.deepEqual(
    [film.isFilm(rejected), film.isFilm(rejected + 2_999), film.isFilm(last)],
    [false, false, true],
  );
});

test('a film rests when its next frame is late, sooner with many frames a second than with few', () => {
  const [fast, slow] = [createFilmDetector(), createFilmDetector()];
  play(fast, { frames: 60, every: 33 });
  play(slow, { frames: 60, every: 62 });

  assert.equal(Math.round(fast.restMs()), 50);
  assert.equal(Math.round(slow.restMs()), 93);
});
