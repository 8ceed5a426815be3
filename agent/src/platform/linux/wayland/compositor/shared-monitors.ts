/** The monitors whose pictures come as streams: their layout, and positions of the pointer on them. */
import type { Layout } from '../../../desktop.ts';
import type { PlacedOutput } from './outputs.ts';

/** A monitor with its stream; its size is that of the stream's pictures. */
export interface SharedMonitor extends Pick<PlacedOutput, 'name' | 'box' | 'logical'> {
  node: number;
}

export const layoutOfMonitors = (monitors: readonly SharedMonitor[]): Layout => ({
  width: Math.max(...monitors.map(({ box }) => box.x + box.width)),
  height: Math.max(...monitors.map(({ box }) => box.y + box.height)),
  monitors: monitors.map(({ name, box }, index) => ({ name, ...box, primary: index === 0 })),
  sizes: [],
});

/** The monitor at a place of the picture, or the nearest one, and the place there in the units of the desktop. */
export function locate(
  monitors: readonly SharedMonitor[],
  x: number,
  y: number,
): { node: number; x: number; y: number } {
  const placed = monitors.map(({ node, box, logical }) => {
    const inside = {
      x: Math.min(Math.max(x, box.x), box.x + box.width - 1),
      y: Math.min(Math.max(y, box.y), box.y + box.height - 1),
    };
    const scale = box.width / logical.width;
    return {
      distance: Math.hypot(x - inside.x, y - inside.y),
      at: { node, x: (inside.x - box.x) / scale, y: (inside.y - box.y) / scale },
    };
  });
  return placed.reduce((best, each) => (each.distance < best.distance ? each : best)).at;
}
