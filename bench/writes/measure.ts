/** Measures durable writes: `support/create` through the API, compared with a bare loop of the same statements. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@drawbridge/server/store/engine/open';
import { seedFleet, type SeededFleet } from '../kit/fleet.ts';
import { runLoad } from '../kit/load.ts';
import { cpuSeconds } from '../kit/process.ts';
import { findFreePort, startMeasuredServer } from '../kit/server.ts';
import { openDatabaseFor } from '../../tests/kit/server/database.ts';
import type { BareLoopResult, BareLoopSetup } from './repeated-change.ts';

/** The share of the rate of the bare loop that writes through the API should reach. */
export const writeAim = 0.7;

export interface WriteOptions {
  database: 'sqlite' | 'postgres';
  rounds: number;
  seconds: number;
  connections: number;
}

export interface WriteRound {
  perSecond: number;
  cpuMicroseconds: number;
  /** Changes per commit. */
  groupSize: number;
}

/** Reads how many changes and commits the server has made. */
async function readCommits(port: number): Promise<{ changes: number; commits: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]);
  return {
    changes: read('drawbridge_commit_changes_sum'),
    commits: read('drawbridge_commit_changes_count'),
  };
}

async function measureOurs(
  { folder, database, fleet: { apiKey } }: SeededData,
  { connections, seconds }: WriteOptions,
): Promise<WriteRound> {
  const metrics = await findFreePort();
  const env = { DRAWBRIDGE_METRICS_LISTEN: `127.0.0.1:${metrics}`, ...database };
  await using server = await startMeasuredServer({ folder, env });
  const url = `https://127.0.0.1:${server.port}/v1/support/create?client_name=Ann`;
  const target = { url, method: 'POST' as const, headers: { 'X-Api-Key': apiKey } };
  await runLoad(target, { connections, seconds: 2 });
  const [before, cpu] = [await readCommits(metrics), cpuSeconds(server.pid)];
  const { requests, failures, perSecond } = await runLoad(target, { connections, seconds });
  if (failures > 0) throw new Error(`${failures} requests failed.`);
  const after = await readCommits(metrics);
  return {
    perSecond,
    cpuMicroseconds: ((cpuSeconds(server.pid) - cpu) / requests) * 1e6,
    groupSize: (after.changes - before.changes) / (after.commits - before.commits),
  };
}

async function measureBare(setup: BareLoopSetup): Promise<WriteRound> {
  const program = setup.url === undefined ? 'bare-loop.ts' : 'bare-postgres.ts';
  const child = fork(join(import.meta.dirname, program));
  child.send(setup);
  const [{ changes, cpuMicroseconds }] = (await once(child, 'message')) as [BareLoopResult];
  child.disconnect();
  return {
    perSecond: changes / setup.seconds,
    cpuMicroseconds: cpuMicroseconds / changes,
    groupSize: setup.groupSize,
  };
}

interface SeededData {
  folder: string;
  /** The setting that names the database, if it is PostgreSQL. */
  database: Record<string, string>;
  fleet: SeededFleet;
}

/** Every round begins with new data, because a larger database is slower. */
async function onNewData<T>(
  kind: WriteOptions['database'],
  measure: (data: SeededData) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  const { env: database, drop } = await openDatabaseFor(kind);
  try {
    const store = await openStore({ folder, url: database['DRAWBRIDGE_DATABASE'] });
    const fleet = await seedFleet(store, 'writes@example.com', 1);
    await store.close();
    return await measure({ folder, database, fleet });
  } finally {
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const fastest = (measured: readonly WriteRound[]): WriteRound =>
  measured.toSorted((a, b) => b.perSecond - a.perSecond)[0]!;

/** Each round has new data. The fastest round of each counts. */
export async function measureWrites(options: WriteOptions): Promise<{ ours: WriteRound; bare: WriteRound }> {
  const { database: kind, rounds, seconds } = options;
  const [ours, bare]: [WriteRound[], WriteRound[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const mine = await onNewData(kind, (data) => measureOurs(data, options));
    ours.push(mine);
    const groupSize = Math.round(mine.groupSize);
    bare.push(
      await onNewData(kind, ({ folder, database, fleet: { accountId, memberId } }) =>
        measureBare({
          folder,
          url: database['DRAWBRIDGE_DATABASE'],
          accountId,
          memberId,
          groupSize,
          seconds,
        }),
      ),
    );
  }
  return { ours: fastest(ours), bare: fastest(bare) };
}
