/** Readings of a server's memory along a run, and whether it grows. */
import { readResidentParts, type ResidentParts } from '../kit/process.ts';
import { aimsTable } from '../kit/aims.ts';
import { toTextTable } from '../kit/table.ts';

export interface MemoryReading {
  /** Units of work done so far. */
  done: number;
  mb: number;
  parts: ResidentParts;
}

export function readMemory(pid: number, done: number): MemoryReading {
  const parts = readResidentParts(pid);
  return { done, parts, mb: parts.malloc + parts.anonymous + parts.files };
}

export interface MemoryRun {
  name: string;
  /** Before the work. */
  rest: MemoryReading;
  readings: readonly MemoryReading[];
  /** Some time after the work, and what is left of the heap and of buffers after a collection of garbage then. */
  after: MemoryReading;
  heapMb: number;
  externalMb: number;
  /** The resident MB of the spaces of V8's heap. */
  spaces: string;
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
    const reading = readMemory(pid, done);
    readings.push(reading);
    console.log(`${done.toLocaleString('en')} of ${total.toLocaleString('en')}: ${describeMemory(reading)}`);
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

export const describeMemory = ({ mb, parts: { malloc, anonymous, files } }: MemoryReading): string =>
  `${mb.toFixed(1)} MB: malloc ${malloc.toFixed(0)}, anonymous ${anonymous.toFixed(0)}, files ${files.toFixed(0)}`;

/** MB per tenth of the work. */
const growthOf = (readings: readonly MemoryReading[]): number =>
  (slopeOf(readings) * readings.at(-1)!.done) / 10;

/** A server that grows by more than this per tenth of the work is not flat. */
const flatMb = 1;

export const memoryAims = (runs: readonly MemoryRun[]): string =>
  aimsTable(
    runs.map(({ name, readings }) => ({
      what: `growth over ${name}, per tenth of the second half`,
      is: 'at most',
      aim: flatMb,
      reached: growthOf(readings),
      unit: 'MB',
    })),
  );

export const toMemoryTable = (runs: readonly MemoryRun[]): string =>
  toTextTable(
    ['MB', 'before', 'at each tenth', 'growth per tenth, second half', 'after', 'heap', 'buffers'],
    runs.map(({ name, rest, readings, after, heapMb, externalMb }) => [
      name,
      rest.mb.toFixed(0),
      readings.map(({ mb }) => mb.toFixed(0)).join(' '),
      growthOf(readings).toFixed(2),
      after.mb.toFixed(0),
      heapMb.toFixed(1),
      externalMb.toFixed(1),
    ]),
  );
