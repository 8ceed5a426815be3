/** Runs a benchmark on a quiet machine: waits until other processes rest, and reports what they used during the run. */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { ticksPerSecond } from './process.ts';

/** Share of all processors that other processes may use. */
const quietShare = 0.05;
const longestWaitSeconds = 120;
const sampleSeconds = 2;

interface CpuReading {
  readonly at: number;
  /** CPU seconds of the whole machine, including what other virtual machines took from it. */
  readonly machine: number;
  /** CPU seconds of this process and its descendants, including those that have ended. */
  readonly own: number;
}

/** Busy ticks of a "cpu" line in /proc/stat: everything but idle and waiting for disks. Guests are included in "user". */
export function busyTicks(line: string): number {
  const [user, nice, system, , , irq, softIrq, steal] = line.trim().split(/\s+/).slice(1).map(Number);
  return user! + nice! + system! + irq! + softIrq! + steal!;
}

/** Ticks of a process and its descendants, given the contents of all /proc/PID/stat by their process id. */
export function familyTicks(stats: ReadonlyMap<number, string>, ancestor: number): number {
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  for (const [pid, stat] of stats) {
    // The second field is the program's name in brackets, which can contain spaces.
    const fields = stat.replace(/^.*\) /s, '').split(' ');
    const parent = Number(fields[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
    ticks.set(pid, user! + system! + endedUser! + endedSystem!);
  }
  const family = [ancestor];
  for (const pid of family) family.push(...(children.get(pid) ?? []));
  return family.reduce((sum, pid) => sum + (ticks.get(pid) ?? 0), 0);
}

function readStats(): Map<number, string> {
  const stats = new Map<number, string>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      stats.set(Number(name), readFileSync(`/proc/${name}/stat`, 'utf8'));
    } catch {
      // It ended meanwhile.
    }
  }
  return stats;
}

const readCpu = (): CpuReading => ({
  at: performance.now() / 1_000,
  machine: busyTicks(readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!) / ticksPerSecond,
  own: familyTicks(readStats(), process.pid) / ticksPerSecond,
});

/** Share of all processors that other processes used since a reading. */
export function shareOfOthers(before: CpuReading, after: CpuReading, processors: number): number {
  const others = after.machine - before.machine - (after.own - before.own);
  return Math.max(0, others) / ((after.at - before.at) * processors);
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

async function waitForQuiet(processors: number): Promise<void> {
  for (let waited = 0; waited < longestWaitSeconds; waited += sampleSeconds) {
    const before = readCpu();
    await wait(sampleSeconds * 1_000);
    const share = shareOfOthers(before, readCpu(), processors);
    if (share <= quietShare) return;
    if (waited === 0) console.log(`Waiting until other processes, now ${percent(share)}, use less CPU.`);
  }
  console.log(`The machine did not become quiet within ${longestWaitSeconds} seconds.`);
}

/** Prints the machine, waits until it is quiet, runs the benchmark, and prints what other processes used meanwhile. */
export async function onQuietMachine(benchmark: () => Promise<void>): Promise<void> {
  const processors = cpus();
  const model = processors[0]?.model ?? 'unknown processor';
  console.log(`${model}, ${processors.length} cores, Node ${process.versions.node}.`);
  await waitForQuiet(processors.length);
  const before = readCpu();
  await benchmark();
  const share = shareOfOthers(before, readCpu(), processors.length);
  const verdict = share <= quietShare ? 'quiet' : 'NOT quiet, do not compare these results';
  console.log(`\nOther processes used ${percent(share)} of the CPU time: ${verdict}.`);
}
