/** The marks on the content by which the viewer's page is measured: the time of each picture, and a block that answers clicks. */

/** A picture tells when it was drawn: this many bits of the clock in milliseconds, black and white, from the left edge. */
export const bits = 20;
/** The side of a bit, large enough to live through lossy pictures. */
export const bitSize = 16;
/** A block near the lower right corner that turns from red to blue and back with every click. */
export const clickBlock = { side: 128, inset: 160 } as const;
export const [red, blue] = [0xff0000, 0x0000ff];

export const timeMark = (now: number): number => Math.floor(now) % 2 ** bits;

/** The boxes of the bits that are set, or that are not, as X11 takes them. */
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
};
