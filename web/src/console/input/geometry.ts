/** From places in the window to pixels of the device, and from wheels to notches. */

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

/** The pixel of the device under a place of the window; outside the picture, the nearest. */
export const toDevicePoint = (
  windowPoint: ScreenPoint,
  bounds: Bounds,
  size: { width: number; height: number },
): ScreenPoint => ({
  x: clamp(((windowPoint.x - bounds.left) / bounds.width) * size.width, size.width),
  y: clamp(((windowPoint.y - bounds.top) / bounds.height) * size.height, size.height),
});

/** Browsers say left, right, middle; frames say left, middle, right. */
export const toButtons = (buttons: number): number =>
  (buttons & 0b1_1001) | ((buttons & 0b10) << 1) | ((buttons & 0b100) >> 1);

/** What browsers count as one notch, in pixels, lines and pages. */
const notch = [100, 3, 1] as const;
const farthest = 32_767;

/** In steps of a notch times 120. */
export function toNotches(delta: number, mode: number): number {
  const steps = Math.round((delta / (notch[mode] ?? notch[0])) * 120);
  return Math.min(farthest, Math.max(-farthest, steps));
}
