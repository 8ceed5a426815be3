/** Detects a film: a large area that keeps changing quickly. While one runs, its text is sent exactly and the rest as video. */

export interface FilmDetector {
  isFilm(now: number): boolean;
  /** Called after each captured frame with the number of changed pixels that are neither text nor plain. */
  changed(pixels: number, now: number): void;
  /** Called when the frame was encoded. The time that took does not count, because a slow encoder would never see a film. */
  encoded(now: number): void;
  /** Called when a frame of the film was mostly text: for a while there is no film, so that the size does not change back and forth. */
  reject(now: number): void;
  /** After this time without a change the film pauses or has ended, and its picture can be made exact. */
  restMs(): number;
}

/** A film starts after this many frames of at least so many pixels, each at most `longestGapMs` after the one before. */
const [startFrames, startPixels, longestGapMs] = [6, 320 * 1_024, 125];
/** It goes on while frames have at least so many pixels, and ends this long after the last of them. */
const [keepPixels, endMs] = [startPixels / 2, 500];
/** A film rests when its next frame is late by half an interval, but not before and not after these times. */
const [lateFactor, minRestMs, maxRestMs] = [1.5, 45, 100];
/** For how long there is no film after a frame that was mostly text. */
const rejectMs = 3_000;
const weight = 0.2;

export function createFilmDetector(): FilmDetector {
  let [frames, lastAt, encodedAt] = [0, -Infinity, -Infinity];
  let [interval, notBefore] = [longestGapMs, -Infinity];
  const isFilm = (now: number): boolean => frames >= startFrames && now - lastAt <= endMs && now >= notBefore;
  return {
    isFilm,
    changed(pixels, now) {
      const wasFilm = isFilm(now);
      if (pixels < (wasFilm ? keepPixels : startPixels)) return;
      const gap = now - lastAt;
      const goesOn = wasFilm || now - Math.max(lastAt, encodedAt) <= longestGapMs;
      interval = goesOn ? interval * (1 - weight) + Math.min(gap, longestGapMs) * weight : longestGapMs;
      frames = goesOn ? frames + 1 : 1;
      lastAt = now;
    },
    encoded: (now) => void (encodedAt = now),
    reject: (now) => void (notBefore = now + rejectMs),
    restMs: () => Math.min(Math.max(interval * lateFactor, minRestMs), maxRestMs),
  };
}
