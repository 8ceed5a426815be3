/** Full-motion content: a landscape of rough and smooth areas that bends and drifts, crossed by bright discs, similar to a film. */
import type { BenchScreenSize } from './marks.ts';

/** Size of the seamless texture; a power of two. */
const side = 1_024;
const mask = side - 1;

/** Number of frames; played forwards and backwards, so that there is no jump. */
const motionPictures = 16;

function noise(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const smooth = (t: number): number => t * t * (3 - 2 * t);

/** Noise in several octaves, each finer and fainter than the last. */
function texture(random: () => number): Uint8Array {
  const sums = new Float32Array(side * side);
  for (let [cells, weight] = [8, 0.5]; cells <= 256; [cells, weight] = [cells * 2, weight * 0.62]) {
    const grid = Float32Array.from({ length: cells * cells }, random);
    const at = (x: number, y: number): number => grid[(y % cells) * cells + (x % cells)]!;
    const step = side / cells;
    for (let y = 0; y < side; y += 1) {
      const [row, down] = [Math.floor(y / step), smooth((y % step) / step)];
      for (let x = 0; x < side; x += 1) {
        const [column, right] = [Math.floor(x / step), smooth((x % step) / step)];
        const upper = at(column, row) * (1 - right) + at(column + 1, row) * right;
        const lower = at(column, row + 1) * (1 - right) + at(column + 1, row + 1) * right;
        sums[y * side + x]! += (upper * (1 - down) + lower * down) * weight;
      }
    }
  }
  return Uint8Array.from(sums, (sum) => Math.max(0, Math.min(255, (sum - 0.15) * 230)));
}

/** The colours of the landscape, from dark water to snow. */
const palette = Uint32Array.from({ length: 256 }, (_, height) => {
  const channel = (from: number, to: number): number => Math.round(from + ((to - from) * height) / 255);
  return (channel(20, 250) << 16) | (channel(40, 235) << 8) | channel(90, 210);
});

/** Yields the frames, each as 32-bit pixels. */
export function* motion({ width, height }: BenchScreenSize): Generator<Uint32Array> {
  const land = texture(noise());
  for (let number = 0; number < motionPictures; number += 1) {
    const picture = new Uint32Array(width * height);
    const bend = (place: number, length: number): number => 14 * Math.sin(place / length + number / 3);
    const across = Int32Array.from({ length: height }, (_, y) => Math.round(bend(y, 61)) + number * 7);
    const down = Int32Array.from({ length: width }, (_, x) => Math.round(bend(x, 83)) + number * 4);
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1)
        picture[y * width + x] = palette[land[((y + down[x]!) & mask) * side + ((x + across[y]!) & mask)]!]!;
    discs(picture, { width, height }, number);
    yield picture;
  }
}

function discs(picture: Uint32Array, { width, height }: BenchScreenSize, number: number): void {
  for (let disc = 0; disc < 6; disc += 1) {
    const radius = 30 + disc * 12;
    const middleX = Math.round(width * (0.15 + disc * 0.13) + 90 * Math.cos(number / 4 + disc));
    const middleY = Math.round(height * 0.45 + 160 * Math.sin(number / 5 + disc * 2));
    for (let y = Math.max(0, middleY - radius); y < Math.min(height, middleY + radius); y += 1) {
      const half = Math.floor(Math.sqrt(radius ** 2 - (y - middleY) ** 2));
      const [from, to] = [Math.max(0, middleX - half), Math.min(width, middleX + half)];
      if (from < to) picture.fill(0xe04020 + disc * 0x1028, y * width + from, y * width + to);
    }
  }
}
