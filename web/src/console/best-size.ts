/** Which of the sizes a device can show suits a window best. */

export interface ScreenSize {
  width: number;
  height: number;
}

const area = ({ width, height }: ScreenSize): number => width * height;

/** The largest that fits; where none does, the smallest. Undefined when there is no choice. */
export function bestSize(sizes: readonly ScreenSize[], available: ScreenSize): ScreenSize | undefined {
  const sorted = sizes.toSorted((a, b) => area(b) - area(a));
  return (
    sorted.find(({ width, height }) => width <= available.width && height <= available.height) ??
    sorted.at(-1)
  );
}
