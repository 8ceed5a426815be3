/** Marks in the content that the viewer's page can measure: a timestamp in each frame, and a block that reacts to clicks. */

/** The timestamp of a frame: this many bits of the clock in milliseconds, black and white, from the left edge. */
export const bits = 20;
/** The size of a bit in pixels, large enough to survive lossy compression. */
export const bitSize = 16;
/** A block near the lower right corner that switches between red and blue with every click, and with every key after one. */
export const clickBlock = { side: 128, inset: 160 } as const;
export const [red, blue] = [0xff0000, 0x0000ff];

export const timeMark = (now: number): number => Math.floor(now) % 2 ** bits;

/** The X11 rectangles of the bits that are set, or of those that are not. */
export const boxesOf = (mark: number, set: boolean): number[] =>
  Array.from({ length: bits }, (_, bit) => bit)
    .filter((bit) => ((mark >> bit) & 1) === (set ? 1 : 0))
    .flatMap((bit) => [bit * bitSize, 0, bitSize, bitSize]);

export interface BenchScreenSize {
  width: number;
  height: number;
}

export const benchScreenSizes: Record<string, BenchScreenSize> = {
  '720': { width: 1_280, height: 720 },
  '1080': { width: 1_920, height: 1_080 },
  '2160': { width: 3_840, height: 2_160 },
};
