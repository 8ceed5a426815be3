/** Measures cold starts, idle memory, and the longest pauses of the event loop. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setOnline, type SeededFleet } from '../kit/fleet.ts';
import { cpuSeconds, residentMegabytes } from '../kit/process.ts';
import { startMeasuredServer } from '../kit/server.ts';
import type { BenchCase, ServerUnderLoad } from './cases.ts';
import { runCase } from './run-case.ts';

/** Milliseconds from the start of the process to readiness; minimum of several starts. */
export async function coldStarts(folder: string, times: number): Promise<{ first: number; next: number }> {
  const [first, next]: [number[], number[]] = [[], []];
  for (let round = 0; round < times; round += 1) {
    const empty = mkdtempSync(join(tmpdir(), 'drawbridge-bench-first-'));
    first.push(await readyMs(empty));
    rmSync(empty, { recursive: true, force: true });
    next.push(await readyMs(folder));
  }
  return { first: Math.min(...first), next: Math.min(...next) };
}

async function readyMs(folder: string): Promise<number> {
  await using server = await startMeasuredServer({ folder });
  return server.readyMs;
}

/** Memory of a server that has received only readiness checks. */
export async function idleMemory(folder: string, seconds: number): Promise<{ mb: number; cpuMs: number }> {
  await using server = await startMeasuredServer({ folder });
  const before = cpuSeconds(server.pid);
  await wait(seconds * 1_000);
  return { mb: residentMegabytes(server.pid), cpuMs: (cpuSeconds(server.pid) - before) * 1_000 };
}

/** The longest pause of the event loop in each case; minimum of several rounds, because other programs cause pauses too. */
export async function longestPauses(
  folder: string,
  fleets: readonly SeededFleet[],
  cases: readonly BenchCase[],
  rounds: number,
): Promise<{ name: string; longestMs: number }[]> {
  await using server = await startMeasuredServer({ folder, watch: 'pauses' });
  await setOnline(folder, fleets);
  const under: ServerUnderLoad = { pid: server.pid, origin: `https://127.0.0.1:${server.port}`, headers: {} };
  const longest = cases.map(() => Infinity);
  for (const each of cases) await runCase(each, under, 1);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, each] of cases.entries()) {
      await server.pauses();
      await runCase(each, under, 2);
      longest[at] = Math.min(longest[at]!, (await server.pauses()).longestMs);
    }
  }
  return cases.map(({ name }, at) => ({ name, longestMs: longest[at]! }));
}
