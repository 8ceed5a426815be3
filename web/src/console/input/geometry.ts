/** Converts window coordinates to device pixels, button masks, and wheel deltas to notches. */

export interface ScreenPoint {
  x: number;
  y: number;
}

interface Bounds {
  left: number;
  top: number;
  width: number;
  height: number;
}

const clamp = (value: number, size: number): number => Math.min(size - 1, Math.max(0, Math.floor(value)));

/** Returns the device pixel under a point of the window, or the nearest one if the point is outside the canvas. */
export const toDevicePoint = (
  windowPoint: ScreenPoint,
  bounds: Bounds,
  size: { width: number; height: number },
): ScreenPoint => ({
  x: clamp(((windowPoint.x - bounds.left) / bounds.width) * size.width, size.width),
  y: clamp(((windowPoint.y - bounds.top) / bounds.height) * size.height, size.height),
});

/** Whether a point of the window is further than a margin outside of one of these areas. */
export const isOutsideAny = ({ x, y }: ScreenPoint, areas: readonly Bounds[], margin: number): boolean =>
  areas.some(
    ({ left, top, width, height }) =>
      x < left - margin || y < top - margin || x > left + width + margin || y > top + height + margin,
  );

/** Converts the bit order of browsers (left, right, middle) to that of frames (left, middle, right). */
export const toButtons = (buttons: number): number =>
  (buttons & 0b1_1001) | ((buttons & 0b10) << 1) | ((buttons & 0b100) >> 1);

/** The delta of one notch in pixels, lines and pages, indexed by `deltaMode`. */
const notch = [100, 3, 1] as const;
const maxSteps = 32_767;

/** The unit is 1/120 of a notch. */
export function toNotches(delta: number, mode: number): number {
  const steps = Math.round((delta / (notch[mode] ?? notch[0])) * 120);
  return Math.min(maxSteps, Math.max(-maxSteps, steps));
}
