/** Notices devices that are gone without a word: asks each for a sign of life, and hangs up when none comes. */
import type { Live } from './live.ts';

/** A sign of life is asked for this often; after two that stay out, a device counts as gone. */
export const heartbeatSeconds = 12;
const silenceMs = 2 * heartbeatSeconds * 1_000 + 1_000;
/** How often is looked: rarely enough to cost nothing, and often enough that nobody is missed for long. */
const lookEveryMs = 1_000;

export function startHeartbeat(devices: () => Iterable<Live>): { stop(): void } {
  const timer = setInterval(() => {
    const now = performance.now();
    for (const live of devices()) {
      if (live.heardAt < now - silenceMs) live.socket.terminate();
      else if (live.askAt <= now) {
        live.askAt = now + heartbeatSeconds * 1_000;
        live.socket.ping();
      }
    }
  }, lookEveryMs);
  return { stop: () => clearInterval(timer) };
}
