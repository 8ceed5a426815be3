/** Nodes are restarted one after the other under load, or a server is killed again and again. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createSeededRandom } from '../../fuzz/seeded-random.ts';
import { eventually } from '../../kit/eventually.ts';
import { seed } from '../../kit/random.ts';
import { killRepeatedly } from '../kill-rounds.ts';
import { startFaultCluster } from './fault-cluster.ts';
import { loadFigures, startLoadOn } from './load-figures.ts';
import { atMost, exactly, type Scenario } from './scenario.ts';
import { connectDevices } from './simulated-devices.ts';

/** The balancer uses a server again after two successful checks, one a second. */
const untilUsedMs = 4_000;
const backWithinMs = 60_000;

const rollingRestart: Scenario = async ({ devices: count }) => {
  await using cluster = await startFaultCluster();
  await using devices = await connectDevices(cluster, count);
  const load = startLoadOn(cluster, 200);
  const begunAt = performance.now();
  await wait(2_000);
  const codes: (number | null)[] = [];
  for (const node of cluster.nodes) {
    codes.push(await node.process.end('SIGTERM'));
    await node.restart();
    await wait(untilUsedMs);
  }
  const restartedAt = performance.now();
  const summary = await load.stop(begunAt);
  await eventually(devices.counts, ({ online }) => online === count);
  return [
    { name: 'devices', value: String(count) },
    atMost('all devices online after the last restart', performance.now() - restartedAt, backWithinMs),
    {
      name: 'exit codes',
      value: codes.join(', '),
      aim: '0, 0, 0',
      reached: codes.every((code) => code === 0),
    },
    exactly('requests that failed, at 200 a second', summary.failed, 0),
    ...loadFigures(summary),
  ];
};

const kills: Scenario = async () => {
  const sqlite = await killRepeatedly({ kind: 'sqlite', kills: 140 });
  const postgres = await killRepeatedly({ kind: 'postgres', kills: 60 });
  return [
    { name: 'SQLite', value: sqlite, aim: 'nothing lost', reached: true },
    { name: 'PostgreSQL', value: postgres, aim: 'nothing lost', reached: true },
  ];
};

const random = createSeededRandom(seed);
const walHeaderBytes = 32;
const walFrameBytes = 24 + 4_096;

/** Appends to the log of SQLite what a disk may hold after a power loss: pages of which only a part was written. */
function tearLog(folder: string): void {
  const file = join(folder, 'drawbridge.db-wal');
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  if (bytes.length < walHeaderBytes + walFrameBytes) return;
  const torn = Buffer.from(bytes.subarray(bytes.length - walFrameBytes));
  torn.fill(0, random.whole(100, walFrameBytes - 1));
  appendFileSync(file, Buffer.concat([torn, torn.subarray(0, random.whole(1, walFrameBytes - 1))]));
}

const powerLoss: Scenario = async () => [
  {
    name: 'torn pages at the end of the log',
    value: await killRepeatedly({ kind: 'sqlite', kills: 30, afterKill: tearLog }),
    aim: 'nothing lost',
    reached: true,
  },
];

export const restartFaults = { 'rolling-restart': rollingRestart, kills, 'power-loss': powerLoss } as const;
