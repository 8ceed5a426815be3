/** Notices when nobody has used a session for as long as the policy of the device allows. */
import type { Clock } from '@drawbridge/session/ports';

export interface IdleTimer {
  /** The operator did something. */
  used(): void;
  /** The time-out may have changed. */
  update(): void;
  stop(): void;
}

/** `idleMs`: Infinity without a time-out. `onIdle` is called once. */
export function startIdleTimer(clock: Clock, idleMs: () => number, onIdle: () => void): IdleTimer {
  let usedAt = clock.now();
  let stop = (): void => {};
  const wait = (): void => {
    stop();
    const left = usedAt + idleMs() - clock.now();
    if (left <= 0) return onIdle();
    stop = left === Infinity ? () => {} : clock.after(left, wait);
  };
  wait();
  return { used: () => void (usedAt = clock.now()), update: wait, stop: () => stop() };
}
