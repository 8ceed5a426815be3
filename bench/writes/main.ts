/** Benchmark of durable writes: `support/create` through the API, compared with a bare loop of the same statements. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '@drawbridge/server/store/engine/open';
import { build } from '../kit/build.ts';
import { seedFleet, type SeededFleet } from '../kit/fleet.ts';
import { runLoad } from '../kit/load.ts';
import { cpuSeconds } from '../kit/process.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { findFreePort, startMeasuredServer } from '../kit/server.ts';
import { formatNumber, toTextTable } from '../kit/table.ts';
import type { BareLoopResult, BareLoopSetup } from './bare-loop.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
  },
});
const [rounds, seconds, connections] = [values.rounds, values.seconds, values.connections].map(Number) as [
  number,
  number,
  number,
];
const aim = 0.7;

interface WriteRound {
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

async function measureOurs(folder: string, { apiKey }: SeededFleet): Promise<WriteRound> {
  const metrics = await findFreePort();
  const env = { DRAWBRIDGE_METRICS_LISTEN: `127.0.0.1:${metrics}` };
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
  const child = fork(join(import.meta.dirname, 'bare-loop.ts'));
  child.send(setup);
  const [{ changes, cpuMicroseconds }] = (await once(child, 'message')) as [BareLoopResult];
  child.disconnect();
  return {
    perSecond: changes / setup.seconds,
    cpuMicroseconds: cpuMicroseconds / changes,
    groupSize: setup.groupSize,
  };
}

/** Every round begins with the same data, because a larger database is slower. */
async function onCopy<T>(folder: string, measure: (copy: string) => Promise<T>): Promise<T> {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  try {
    return await measure(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function seed(folder: string): Promise<SeededFleet> {
  const store = await openStore({ folder });
  const fleet = await seedFleet(store, 'writes@example.com', 1);
  await store.close();
  return fleet;
}

const fastest = (measured: readonly WriteRound[]): WriteRound =>
  measured.toSorted((a, b) => b.perSecond - a.perSecond)[0]!;

const row = (name: string, { perSecond, cpuMicroseconds, groupSize }: WriteRound): string[] => [
  name,
  formatNumber(perSecond),
  formatNumber(cpuMicroseconds),
  groupSize.toFixed(0),
];

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  try {
    const fleet = await seed(folder);
    const [ours, bare]: [WriteRound[], WriteRound[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const mine = await onCopy(folder, (copy) => measureOurs(copy, fleet));
      const groupSize = Math.round(mine.groupSize);
      const { accountId, memberId } = fleet;
      const setup = { accountId, memberId, groupSize, seconds };
      bare.push(await onCopy(folder, (copy) => measureBare({ ...setup, folder: copy })));
      ours.push(mine);
    }
    const [mine, limit] = [fastest(ours), fastest(bare)];
    const head = ['support/create, durable', 'a second', 'CPU µs each', 'changes per commit'];
    console.log(`\n${toTextTable(head, [row('ours, over TLS', mine), row('bare loop', limit)])}`);
    const ratio = mine.perSecond / limit.perSecond;
    console.log(
      `\n${ratio.toFixed(2)} × of the bare loop; aim ≥ ${aim}: ${ratio >= aim ? 'reached' : 'missed'}.`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

build();
await onQuietMachine(main);
