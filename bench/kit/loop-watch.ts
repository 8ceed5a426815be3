/** Loaded into the measured server first: on SIGUSR2 it writes the longest pause of the event loop to a file. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env['BENCH_WATCH_FILE'];

if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(file, JSON.stringify({ longestMs: delays.max / 1e6, p99Ms: delays.percentile(99) / 1e6 }));
    delays.reset();
  });
}
