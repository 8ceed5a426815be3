/** Pictures for the tests, generated here so that every pixel of them is known. */
import { PNG } from 'pngjs';

export type Colour = readonly [red: number, green: number, blue: number];

/** A PNG whose pixels are what `at` returns. */
export function png(width: number, height: number, at: (x: number, y: number) => Colour): Buffer {
  const picture = new PNG({ width, height });
  for (let index = 0; index < width * height; index += 1)
    picture.data.set([...at(index % width, Math.floor(index / width)), 255], index * 4);
  return PNG.sync.write(picture, { colorType: 2 });
}

/** A picture in which no two neighbouring pixels are equal. */
export const uniquePattern = (x: number, y: number): Colour => [
  (x * 7) & 255,
  (y * 11) & 255,
  (x * 3 + y * 5) & 255,
];
export const solid = (colour: Colour) => (): Colour => colour;
