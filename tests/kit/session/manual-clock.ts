/** A clock of a session that tests move by hand. */
import type { Clock } from '@drawbridge/session/ports';

export interface ManualClock extends Clock {
  /** Moves time on and calls every timer that is due. */
  advance(ms: number): void;
}

export function createManualClock(): ManualClock {
  const timers = new Set<{ call(): void }>();
  let time = 0;
  const add = (call: () => void): (() => void) => {
    const timer = { call };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => time,
    every: (_ms, call) => add(call),
    after(ms, call) {
      const due = time + ms;
      const stop = add(() => {
        if (time < due) return;
        stop();
        call();
      });
      return stop;
    },
    advance(ms) {
      time += ms;
      for (const timer of Array.from(timers)) timer.call();
    },
  };
}
