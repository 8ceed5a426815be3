/** Generated content for screens: photographs and text, the same every time. */

interface Size {
  width: number;
  height: number;
}

/** Pixels that no palette holds and that never repeat. */
export function makePhoto(seed: number, { width, height }: Size): Uint32Array {
  let state = seed;
  return new Uint32Array(width * height).map(() => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state & 0xffffff;
  });
}

/** Dark marks on white, no two rows alike. */
export const makeTextPicture = (seed: number, size: Size): Uint32Array =>
  makePhoto(seed, size).map((mark) => (mark % 5 === 0 ? 0x202020 : 0xffffff));
