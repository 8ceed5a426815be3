/** Watches whether the other side is still there, and measures the round trip where this side pings. */
import type { Clock } from './ports.ts';

const pingIntervalMs = 5_000;
const silenceTimeoutMs = 15_000;

export interface Heartbeat {
  /** A frame has arrived. */
  received(): void;
  pong(number: number): void;
  stop(): void;
}

export interface HeartbeatOptions {
  /** Absent on the side that only listens: the operator pings. */
  sendPing?(number: number): void;
  onRoundTrip?(ms: number): void;
  onSilence(): void;
}

export function startSessionHeartbeat(clock: Clock, options: HeartbeatOptions): Heartbeat {
  let lastReceivedAt = clock.now();
  let lastPing = { number: 0, at: lastReceivedAt };
  const tick = (): void => {
    if (clock.now() - lastReceivedAt >= silenceTimeoutMs) return options.onSilence();
    lastPing = { number: lastPing.number + 1, at: clock.now() };
    options.sendPing?.(lastPing.number);
  };
  const stop = clock.every(pingIntervalMs, tick);
  tick();
  return {
    received: () => (lastReceivedAt = clock.now()),
    pong: (number) => {
      if (number === lastPing.number) options.onRoundTrip?.(clock.now() - lastPing.at);
    },
    stop,
  };
}
