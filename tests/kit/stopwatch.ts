/** How long something took, without the time in which the machine was busy with other work and let nobody here have a turn. */

const everyMs = 10;

export interface Stopwatch extends Disposable {
  ms(): number;
}

/**
 * It looks often. Between two looks there passed as much time as was to pass until the next look, and what this process
 * has computed meanwhile; the rest, other programs had. So what waits or computes too long here is found out on any
 * machine, and what only had to wait for its turn is not blamed for it.
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
