/** Asks the other side every few seconds whether it is there, measures how long that takes, and calls out when it is silent. */
import type { Clock } from './clock.ts';

export const beatMs = 5_000;
export const silenceMs = 15_000;

export interface Heartbeat {
  /** Something came. */
  heard(): void;
  pong(number: number): void;
  stop(): void;
}

export interface Beat {
  ping(number: number): void;
  roundTrip(ms: number): void;
  silent(): void;
}

export function startHeartbeat(clock: Clock, { ping, roundTrip, silent }: Beat): Heartbeat {
  let last = clock.now();
  let asked = { number: 0, at: last };
  const beat = (): void => {
    if (clock.now() - last >= silenceMs) return silent();
    asked = { number: asked.number + 1, at: clock.now() };
    ping(asked.number);
  };
  const stop = clock.every(beatMs, beat);
  beat();
  return {
    heard: () => (last = clock.now()),
    pong: (number) => {
      if (number === asked.number) roundTrip(clock.now() - asked.at);
    },
    stop,
  };
}
