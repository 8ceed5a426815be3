/** Chooses the screen size of the device that suits a window best. */

export interface RemoteScreenSize {
  width: number;
  height: number;
}

const area = ({ width, height }: RemoteScreenSize): number => width * height;

/** Returns the largest size that fits, or the smallest if none fits. Undefined when the list is empty. */
export function bestSize(
  sizes: readonly RemoteScreenSize[],
  available: RemoteScreenSize,
): RemoteScreenSize | undefined {
  const sorted = sizes.toSorted((a, b) => area(b) - area(a));
  return (
    sorted.find(({ width, height }) => width <= available.width && height <= available.height) ??
    sorted.at(-1)
  );
}
