/** Sends the devices of a node that stops to the other nodes, a few at a time. */
import { closeDevice, sendToDevice, type UplinkConnection } from './uplink-connection.ts';

/** So many devices are asked to reconnect per second: about as many as one server admits. */
export const reconnectsPerSecond = 300;
const roundMs = 100;

/** `first` go first. Resolves when the last one is sent away, after `limitMs` at the latest. */
export async function drainDevices(
  connections: ReadonlyMap<number, UplinkConnection>,
  first: ReadonlySet<number>,
  limitMs: number,
): Promise<void> {
  const waiting = [...connections.values()].toSorted(
    (one, other) => Number(first.has(other.agentId)) - Number(first.has(one.agentId)),
  );
  const rounds = Math.max(1, Math.floor(limitMs / roundMs));
  const perRound = Math.max((reconnectsPerSecond * roundMs) / 1_000, Math.ceil(waiting.length / rounds));
  while (waiting.length > 0) {
    for (const connection of waiting.splice(0, perRound)) {
      if (connection.socket.readyState !== connection.socket.OPEN) continue;
      sendToDevice(connection.socket, { kind: 'move', after_seconds: 0 });
      closeDevice(connection, 'stopping');
    }
    if (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, roundMs));
  }
}
