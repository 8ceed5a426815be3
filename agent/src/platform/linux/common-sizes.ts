/** The screen sizes that are offered if a screen supports any size. */
export interface DisplaySize {
  width: number;
  height: number;
}

const sizes: readonly (readonly [width: number, height: number])[] = [
  [3840, 2160],
  [2560, 1440],
  [1920, 1200],
  [1920, 1080],
  [1680, 1050],
  [1600, 900],
  [1440, 900],
  [1366, 768],
  [1280, 1024],
  [1280, 800],
  [1280, 720],
  [1024, 768],
  [800, 600],
];

/** Returns the sizes that are no larger than this. */
export const commonSizes = (largest: DisplaySize): DisplaySize[] =>
  sizes
    .map(([width, height]) => ({ width, height }))
    .filter(({ width, height }) => width <= largest.width && height <= largest.height);
