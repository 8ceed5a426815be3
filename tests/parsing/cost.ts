/** What parsing costs: CPU time and memory, and what may be spent on a number of bytes. */
import assert from 'node:assert/strict';
import { getHeapStatistics } from 'node:v8';

export interface Cost {
  /** Milliseconds of CPU time of this process: waiting for a busy machine does not count. */
  ms: number;
  /** Bytes of the heap that were allocated, whether or not they were freed. */
  allocated: number;
}

const piece = 64 * 1_024;
const msPerPiece = 5;
/** An empty object is two bytes of JSON, a comma, and more than sixty bytes of memory. */
const allocatedPerByte = 64;

/**
 * What JSON.parse costs for a piece of empty objects when nothing else runs. Other programs on the same cores
 * make the same work cost more CPU time: if this takes longer, everything else may take as much longer.
 */
const parsedMs = 0.65;
let slowdown: number | undefined;
const measureSlowdown = (): number => {
  const text = `[${'{},'.repeat(piece / 3 - 2)}{}]`;
  const measured = Array.from({ length: 20 }, () => costOf(() => JSON.parse(text)).ms);
  return Math.max(1, Math.min(...measured) / parsedMs);
};

export const costLimit = (bytes: number): Cost => {
  const pieces = Math.max(1, bytes / piece);
  const ms = msPerPiece * (slowdown ??= measureSlowdown());
  return { ms: ms * pieces, allocated: allocatedPerByte * piece * pieces };
};

const isWithin = (cost: Cost, limit: Cost): boolean =>
  cost.ms <= limit.ms && cost.allocated <= limit.allocated;

const allocatedSoFar = (): number =>
  (getHeapStatistics() as unknown as { total_allocated_bytes: number }).total_allocated_bytes;

const usedSoFar = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The lowest of several costs: what the work itself takes, without interruptions. */
const lower = (a: Cost, b: Cost): Cost => ({
  ms: Math.min(a.ms, b.ms),
  allocated: Math.min(a.allocated, b.allocated),
});

function costOf(act: () => unknown): Cost {
  const [ms, allocated] = [usedSoFar(), allocatedSoFar()];
  act();
  return { ms: usedSoFar() - ms, allocated: allocatedSoFar() - allocated };
}

/** Many, because a busy machine slows down all but a few of them. */
const repetitions = 100;

/** The cost of the cheapest of a few runs; stops once one is within the limit. */
export function cheapest(act: () => unknown, limit: Cost): Cost {
  let best = costOf(act);
  for (let count = 1; count < repetitions && !isWithin(best, limit); count += 1)
    best = lower(best, costOf(act));
  // Other programs may have slowed the machine since it was last measured.
  return isWithin(best, limit) ? best : { ...best, ms: best.ms / measureSlowdown() };
}

const exchanges = 40;
/** Beyond this factor of the limit, no noise of the machine explains it. */
const farTooMuch = 4;

/**
 * One exchange costs no more than another, beyond what its bytes may take. Both are repeated until a run
 * shows it.
 */
export async function differsLittle(
  bytes: number,
  { usual, worst }: Record<'usual' | 'worst', () => Promise<unknown>>,
): Promise<void> {
  const least = { usual: Infinity, worst: Infinity };
  for (let round = 0; round < exchanges; round += 1) {
    for (const [which, act] of Object.entries({ usual, worst }) as ['usual' | 'worst', typeof usual][]) {
      const before = usedSoFar();
      await act();
      least[which] = Math.min(least[which], usedSoFar() - before);
    }
    const extra = least.worst - least.usual;
    if (extra <= costLimit(bytes).ms) return;
    if (round > 4 && extra > farTooMuch * costLimit(bytes).ms) break;
  }
  assert.fail(`${bytes} bytes took ${least.worst.toFixed(1)} ms, others ${least.usual.toFixed(1)} ms`);
}

/** Fails with everything that is too expensive, the worst first. */
export function assertCheap(found: readonly { what: string; bytes: number; cost: Cost }[]): void {
  const over = found
    .filter(({ bytes, cost }) => !isWithin(cost, costLimit(bytes)))
    .toSorted((a, b) => b.cost.ms / b.bytes - a.cost.ms / a.bytes)
    .map(({ what, bytes, cost }) => {
      const { ms, allocated } = costLimit(bytes);
      return `${what}: ${bytes} bytes took ${cost.ms.toFixed(1)} of ${ms.toFixed(1)} ms and ${cost.allocated} of ${allocated} bytes`;
    });

  assert.deepEqual(over.slice(0, 20), []);
}
