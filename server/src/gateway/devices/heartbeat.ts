/** Notices devices that are gone without a word: asks each for a sign of life, and hangs up when none comes. */
import type { UplinkConnection } from './uplink-connection.ts';

/** A sign of life is asked for this often; after two that stay out, a device counts as gone. */
export const heartbeatSeconds = 12;
const silenceTimeoutMs = 2 * heartbeatSeconds * 1_000 + 1_000;
/** How often is looked: rarely enough to cost nothing, and often enough that nobody is missed for long. */
const checkEveryMs = 1_000;

export function startHeartbeat(
  devices: () => Iterable<UplinkConnection>,
  { clock = () => performance.now(), everyMs = checkEveryMs } = {},
): { stop(): void } {
  /** When each was last seen to have taken all that was said to it. */
  const drainedAt = new WeakMap<UplinkConnection, number>();
  /** One that speaks and never reads lets answers pile up here. */
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
