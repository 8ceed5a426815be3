/** Limits how many devices are admitted at once to what the store can admit within a few seconds. */

export interface AdmissionLimit {
  /** Whether a device can be admitted now; if not, it counts as one that must come later. */
  hasRoom(): boolean;
  /** Takes a place, and returns what frees it. A store that fails is quick, and says nothing about how many it can admit. */
  begin(): (isAdmitted: boolean) => void;
  /** How long a device that must come later should wait. */
  retryAfterSeconds(): number;
}

/** A third of the time after which a device gives up: the work for a device that has given up is in vain. */
const targetMs = 10_000;
const limits = { initial: 400, min: 16, max: 1_000 } as const;
/** How much a slow admission lowers the limit. A quick one raises it by one, unless it failed. */
const decrease = 0.98;
const retrySeconds = { min: 10, max: 60 } as const;
/** Older devices count half after this many. */
const remembered = 1_000;

/** `now` is in milliseconds, of a clock that never jumps. */
export function createAdmissionLimit(now: () => number): AdmissionLimit {
  let admitting = 0;
  let limit: number = limits.initial;
  let [admitted, deferred] = [0, 0];
  const end = (beganAt: number, isAdmitted: boolean): void => {
    const isSlow = now() - beganAt > targetMs;
    admitting -= 1;
    if (isSlow) limit = Math.max(limits.min, limit * decrease);
    else if (isAdmitted) limit = Math.min(limits.max, limit + 1);
    if (isAdmitted) admitted += 1;
  };
  const forget = (): void => {
    if (admitted + deferred > remembered) [admitted, deferred] = [admitted / 2, deferred / 2];
  };
  return {
    hasRoom() {
      forget();
      if (admitting < limit) return true;
      deferred += 1;
      return false;
    },
    begin() {
      admitting += 1;
      const beganAt = now();
      return (isAdmitted) => end(beganAt, isAdmitted);
    },
    retryAfterSeconds() {
      const wait = (retrySeconds.min * deferred) / Math.max(1, admitted);
      return Math.round(Math.min(retrySeconds.max, Math.max(retrySeconds.min, wait)));
    },
  };
}
