/** Asks the other side every few seconds whether it is there, measures how long that takes, and calls out when it is silent. */
import type { Clock } from './clock.ts';

export const pingIntervalMs = 5_000;
export const silenceTimeoutMs = 15_000;

export interface Heartbeat {
  /** Something came. */
  received(): void;
  pong(number: number): void;
  stop(): void;
}

export interface HeartbeatOptions {
  sendPing(number: number): void;
  onRoundTrip(ms: number): void;
  onSilence(): void;
}

export function startSessionHeartbeat(
  clock: Clock,
  { sendPing: ping, onRoundTrip: roundTrip, onSilence: silent }: HeartbeatOptions,
): Heartbeat {
  let lastReceivedAt = clock.now();
  let lastPing = { number: 0, at: lastReceivedAt };
  const tick = (): void => {
    if (clock.now() - lastReceivedAt >= silenceTimeoutMs) return silent();
    lastPing = { number: lastPing.number + 1, at: clock.now() };
    ping(lastPing.number);
  };
  const stop = clock.every(pingIntervalMs, tick);
  tick();
  return {
    received: () => (lastReceivedAt = clock.now()),
    pong: (number) => {
      if (number === lastPing.number) roundTrip(clock.now() - lastPing.at);
    },
    stop,
  };
}
