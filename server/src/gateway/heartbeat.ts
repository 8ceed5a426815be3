/** Notices devices that are gone without a word: asks each for a sign of life, and hangs up when none comes. */
import type { Live } from './live.ts';

/** A sign of life is asked for this often; after two that stay out, a device counts as gone. */
export const heartbeatSeconds = 12;
const silenceTimeoutMs = 2 * heartbeatSeconds * 1_000 + 1_000;
/** How often is looked: rarely enough to cost nothing, and often enough that nobody is missed for long. */
const lookEveryMs = 1_000;

export function startHeartbeat(
  devices: () => Iterable<Live>,
  { clock = () => performance.now(), everyMs = lookEveryMs } = {},
): { stop(): void } {
  /** When each was last seen to have taken all that was said to it. */
  const tookAt = new WeakMap<Live, number>();
  /** One that speaks and never reads lets answers pile up here. */
  const takes = (live: Live, now: number): boolean => {
    if (live.socket.bufferedAmount === 0 || !tookAt.has(live)) tookAt.set(live, now);
    return now - tookAt.get(live)! <= silenceTimeoutMs;
  };
  const timer = setInterval(() => {
    const now = clock();
    for (const live of devices()) {
      if (live.heardAt < now - silenceTimeoutMs || !takes(live, now)) live.socket.terminate();
      else if (live.askAt <= now) {
        live.askAt = now + heartbeatSeconds * 1_000;
        live.socket.ping();
      }
    }
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}
