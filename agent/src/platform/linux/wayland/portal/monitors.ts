/** Where each monitor that the person shares is in the picture that operators see. */
import { placeOutputs, type WaylandOutput } from '../compositor/outputs.ts';
import type { SharedMonitor } from '../compositor/shared-monitors.ts';
import { boxOfStream, type PortalStream } from './session.ts';

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
