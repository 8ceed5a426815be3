/** Measures how long something took, without the time during which the machine ran other programs. */

const everyMs = 10;

export interface Stopwatch extends Disposable {
  ms(): number;
}

/**
 * It ticks often. Between two ticks there pass the interval and the time this process computes; the rest
 * belongs to other programs. So anything that waits or computes too long here is detected on any machine, and
 * waiting to be scheduled does not count.
 */
export function startStopwatch(): Stopwatch {
  let [ms, at, used] = [0, performance.now(), process.cpuUsage()];
  const look = (): void => {
    const [now, { user, system }] = [performance.now(), process.cpuUsage(used)];
    ms += Math.min(now - at, everyMs + (user + system) / 1_000);
    [at, used] = [now, process.cpuUsage()];
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    ms() {
      look();
      return ms;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
