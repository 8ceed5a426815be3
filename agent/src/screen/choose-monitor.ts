/** Which monitor an operator sees. */
import type { Box } from '@drawbridge/contract/session/screen-frames';

/** Returns the monitor to show and its box. `requested`: -1 for all monitors, undefined for the primary one. */
export function chooseMonitor(
  {
    width,
    height,
    monitors,
  }: { width: number; height: number; monitors: readonly (Box & { primary: boolean })[] },
  requested: number | undefined,
): { current: number; box: Box } {
  const all = { current: -1, box: { x: 0, y: 0, width, height } };
  if (requested === -1) return all;
  const main = monitors.findIndex(({ primary }) => primary);
  const current = requested !== undefined && monitors[requested] ? requested : Math.max(main, 0);
  const monitor = monitors[current];
  if (!monitor) return all;
  const [x, y] = [Math.min(monitor.x, width - 1), Math.min(monitor.y, height - 1)];
  return {
    current,
    box: { x, y, width: Math.min(monitor.width, width - x), height: Math.min(monitor.height, height - y) },
  };
}

/**
 * The number of the monitor that the operator chose, after monitors came or went. `shown` is its name; undefined if the
 * choice is new. Without that monitor, the primary one is shown.
 */
export function followMonitor(
  monitors: readonly { name: string }[],
  requested: number | undefined,
  shown: string | undefined,
): number | undefined {
  if (requested === undefined || requested === -1 || shown === undefined) return requested;
  const found = monitors.findIndex(({ name }) => name === shown);
  return found === -1 ? undefined : found;
}
