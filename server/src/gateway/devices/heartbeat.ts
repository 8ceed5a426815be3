/** Detects devices that are gone without closing: sends pings and disconnects devices that do not respond. */
import type { UplinkConnection } from './uplink-connection.ts';

/** How often a device gets a ping; it counts as gone after two that it does not answer. */
export const heartbeatSeconds = 12;
const silenceTimeoutMs = 2 * heartbeatSeconds * 1_000 + 1_000;
const checkEveryMs = 1_000;

export function startHeartbeat(
  devices: () => Iterable<UplinkConnection>,
  { clock = () => performance.now(), everyMs = checkEveryMs } = {},
): { stop(): void } {
  /** When each device had last received everything sent to it. */
  const drainedAt = new WeakMap<UplinkConnection, number>();
  /** For a device that sends and never reads, answers would pile up in memory. */
  const isDraining = (connection: UplinkConnection, now: number): boolean => {
    if (connection.socket.bufferedAmount === 0 || !drainedAt.has(connection)) drainedAt.set(connection, now);
    return now - drainedAt.get(connection)! <= silenceTimeoutMs;
  };
  const timer = setInterval(() => {
    const now = clock();
    for (const connection of devices()) {
      if (connection.lastReceivedAt < now - silenceTimeoutMs || !isDraining(connection, now))
        connection.socket.terminate();
      else if (connection.nextPingAt <= now) {
        connection.nextPingAt = now + heartbeatSeconds * 1_000;
        connection.socket.ping();
      }
    }
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}
