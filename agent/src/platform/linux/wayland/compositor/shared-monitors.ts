/** The monitors whose pictures come as streams: their layout, and positions of the pointer on them. */
import type { Layout, ScreenSize } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import type { PlacedOutput } from './outputs.ts';

/** A monitor with its stream; its size is that of the stream's pictures. */
export interface SharedMonitor extends Pick<PlacedOutput, 'name' | 'box' | 'logical'> {
  node: number;
}

type Placed = Pick<SharedMonitor, 'name' | 'box' | 'logical'>;

/** `sizes`: those to which the screen can be changed. */
export function layoutOfMonitors(monitors: readonly Placed[], sizes: readonly ScreenSize[] = []): Layout {
  if (monitors.length === 0) throw new NotPossible('No monitor of the device is switched on.');
  return {
    width: Math.max(...monitors.map(({ box }) => box.x + box.width)),
    height: Math.max(...monitors.map(({ box }) => box.y + box.height)),
    monitors: monitors.map(({ name, box }, index) => ({ name, ...box, primary: index === 0 })),
    sizes,
  };
}

/**
 * The monitor at a place of the picture, or the nearest one, and the place there in the units of the desktop. Undefined if
 * there is no monitor.
 */
export function locate<Monitor extends Placed>(
  monitors: readonly Monitor[],
  x: number,
  y: number,
): { monitor: Monitor; x: number; y: number } | undefined {
  const placed = monitors.map((monitor) => {
    const { box, logical } = monitor;
    const inside = {
      x: Math.min(Math.max(x, box.x), box.x + box.width - 1),
      y: Math.min(Math.max(y, box.y), box.y + box.height - 1),
    };
    const scale = box.width / logical.width;
    return {
      distance: Math.hypot(x - inside.x, y - inside.y),
      at: { monitor, x: (inside.x - box.x) / scale, y: (inside.y - box.y) / scale },
    };
  });
  return placed.toSorted((one, other) => one.distance - other.distance)[0]?.at;
}
