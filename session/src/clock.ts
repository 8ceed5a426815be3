/** The clock of a session: monotonic time and timers. */
import type { Clock } from './ports.ts';

/** Browsers throttle the timers of hidden pages: pages pass an `every` that runs in a worker. */
export const createClock = (every: Clock['every'] = ordinaryInterval): Clock => ({
  now: () => performance.now(),
  every,
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
});

function ordinaryInterval(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms);
  return () => clearInterval(timer);
}
