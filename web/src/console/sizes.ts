/** Which of the sizes a device can show suits a window best. */

export interface Size {
  width: number;
  height: number;
}

const area = ({ width, height }: Size): number => width * height;

/** The largest that fits; where none does, the smallest. Undefined when there is no choice. */
export function bestSize(sizes: readonly Size[], room: Size): Size | undefined {
  const sorted = sizes.toSorted((a, b) => area(b) - area(a));
  return sorted.find(({ width, height }) => width <= room.width && height <= room.height) ?? sorted.at(-1);
}
