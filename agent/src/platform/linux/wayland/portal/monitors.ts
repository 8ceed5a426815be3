/** Where each monitor that the person shares is in the picture that operators see. */
import type { Layout } from '../../../desktop.ts';
import { placeOutputs, type PlacedOutput, type WaylandOutput } from '../wlroots/outputs.ts';
import { boxOfStream, type PortalStream } from './session.ts';

/** A shared monitor; its size is that of the stream's pictures. */
export interface SharedMonitor extends Pick<PlacedOutput, 'name' | 'box' | 'logical'> {
  node: number;
}

/** Streams are matched with outputs by their position, because scaled monitors have more pixels than the portal tells. */
export function placeStreams(
  streams: readonly PortalStream[],
  outputs: readonly WaylandOutput[],
): SharedMonitor[] {
  const found = streams.map((stream, index) => ({
    ...(outputOf(stream, outputs) ?? unknownOutput(stream, index)),
    object: stream.node,
  }));
  return placeOutputs(found).map(({ object: node, name, box, logical }) => ({ node, name, box, logical }));
}

/** If the portal tells no position, only a single monitor is certain. */
function outputOf(
  { position, size }: PortalStream,
  outputs: readonly WaylandOutput[],
): WaylandOutput | undefined {
  if (!position) return outputs.length === 1 ? outputs[0] : undefined;
  return outputs.find(
    ({ logical }) =>
      logical.x === position[0] && logical.y === position[1] && (!size || logical.width === size[0]),
  );
}

function unknownOutput(stream: PortalStream, index: number): WaylandOutput {
  const logical = boxOfStream(stream);
  const { width, height } = logical;
  return { object: 0, name: `monitor-${index + 1}`, transform: 0, size: { width, height }, logical };
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
