/** Where the agent's windows go on a monitor: never beyond its edges, and smaller where it is smaller than they are. */
import type { Box } from '@drawbridge/contract/session/screen-frames';

type Size = Pick<Box, 'width' | 'height'>;

const shrink = (size: Size, monitor: Box): Size => ({
  width: Math.min(size.width, monitor.width),
  height: Math.min(size.height, monitor.height),
});

/** At the bottom right, with a margin where there is space for one. */
export function boxInCorner(monitor: Box, size: Size, margin: number): Box {
  const { width, height } = shrink(size, monitor);
  const x = Math.max(monitor.x, monitor.x + monitor.width - width - margin);
  const y = Math.max(monitor.y, monitor.y + monitor.height - height - margin);
  return { x, y, width, height };
}

export function boxInCentre(monitor: Box, size: Size): Box {
  const { width, height } = shrink(size, monitor);
  const x = monitor.x + Math.floor((monitor.width - width) / 2);
  const y = monitor.y + Math.floor((monitor.height - height) / 2);
  return { x, y, width, height };
}
