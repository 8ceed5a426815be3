/** Readings of a server's memory along a run, and whether it grows. */
import { residentMegabytes } from '../kit/process.ts';
import { toTextTable } from '../kit/table.ts';

export interface MemoryReading {
  /** Units of work done so far. */
  done: number;
  mb: number;
}

export interface MemoryRun {
  name: string;
  /** MB before the work. */
  rest: number;
  readings: readonly MemoryReading[];
  /** MB some time after the work, and what is left of the heap and of buffers after a collection of garbage then. */
  after: number;
  heapMb: number;
  externalMb: number;
}

/** Does the work in ten parts and reads the memory of the server after each. */
export async function readTenths(
  pid: number,
  total: number,
  work: (upTo: number) => Promise<number>,
): Promise<MemoryReading[]> {
  const readings: MemoryReading[] = [];
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const done = await work((total * tenth) / 10);
    readings.push({ done, mb: residentMegabytes(pid) });
    console.log(
      `${done.toLocaleString('en')} of ${total.toLocaleString('en')}: ${readings.at(-1)!.mb.toFixed(1)} MB`,
    );
  }
  return readings;
}

/** Megabytes per unit of work, by least squares over the second half: the first fills caches and heaps. */
function slopeOf(readings: readonly MemoryReading[]): number {
  const half = readings.slice(Math.floor(readings.length / 2));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(half.map(({ done }) => done)), mean(half.map(({ mb }) => mb))];
  const covariance = mean(half.map(({ done, mb }) => (done - x) * (mb - y)));
  return covariance / mean(half.map(({ done }) => (done - x) ** 2));
}

export const toMemoryTable = (runs: readonly MemoryRun[]): string =>
  toTextTable(
    ['MB', 'before', 'at each tenth', 'growth per tenth, second half', 'after', 'heap', 'buffers'],
    runs.map(({ name, rest, readings, after, heapMb, externalMb }) => [
      name,
      rest.toFixed(0),
      readings.map(({ mb }) => mb.toFixed(0)).join(' '),
      ((slopeOf(readings) * readings.at(-1)!.done) / 10).toFixed(2),
      after.toFixed(0),
      heapMb.toFixed(1),
      externalMb.toFixed(1),
    ]),
  );
