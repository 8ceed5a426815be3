/** Loaded into the measured server first: on SIGUSR2 it collects garbage and writes what is left of the heap, and the size of its spaces, to a file. */
import { writeFileSync } from 'node:fs';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const file = process.env['BENCH_WATCH_FILE'];

if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const spaces = getHeapSpaceStatistics()
      .filter((space) => space.physical_space_size > 2 ** 20)
      .map((space) => `${space.space_name} ${(space.physical_space_size / 2 ** 20).toFixed(0)}`)
      .join(', ');
    const heap = { heapMb: heapUsed / 2 ** 20, externalMb: external / 2 ** 20, spaces };
    writeFileSync(file, JSON.stringify(heap));
  });
}
