/** Profiles a case: the functions of the server's main thread that take the most time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setOnline, type SeededFleet } from '../kit/fleet.ts';
import { monotonicMicroseconds, topTen } from '../kit/profile.ts';
import { startMeasuredServer } from '../kit/server.ts';
import type { BenchCase, ServerUnderLoad } from './cases.ts';
import { runCase } from './run-case.ts';

/** The cases that are profiled if none is named. */
export const profiledCases: readonly string[] = ['agents/info', 'agents/list of 10,000, rebuilt'];

export async function profileCase(
  folder: string,
  fleets: readonly SeededFleet[],
  each: BenchCase,
  seconds: number,
): Promise<string> {
  const profiles = mkdtempSync(join(tmpdir(), 'drawbridge-profiles-'));
  try {
    const span = { from: 0, to: 0 };
    {
      await using server = await startMeasuredServer({ folder, profiles });
      await setOnline(folder, fleets);
      const origin = `https://127.0.0.1:${server.port}`;
      const under: ServerUnderLoad = { pid: server.pid, origin, headers: {} };
      await runCase(each, under, 2); // warm
      span.from = monotonicMicroseconds();
      await runCase(each, under, seconds);
      span.to = monotonicMicroseconds();
    }
    return topTen(profiles, each.name, span);
  } finally {
    rmSync(profiles, { recursive: true, force: true });
  }
}
