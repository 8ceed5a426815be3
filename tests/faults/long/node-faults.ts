/** One of three nodes fails under load: its devices come back at the others, which are not disturbed. */
import { setTimeout as wait } from 'node:timers/promises';
import { clockFigures } from './clock-faults.ts';
import { startFaultCluster, type ClusterOptions, type FaultCluster } from './fault-cluster.ts';
import { loadFigures, startLoadOn } from './load-figures.ts';
import { atMost, exactly, seconds, type Figure, type Scenario } from './scenario.ts';
import { connectDevices, type SimulatedDevices } from './simulated-devices.ts';

const requestsPerSecond = 50;
const quietMs = 10_000;
/** Leases are 30 seconds long; what is still missing then stays missing. */
const watchMs = 75_000;
const backWithinMs = 60_000;

interface Watched {
  lowest: number;
  /** When all devices were online for the database and for themselves, and stayed so; undefined if never. */
  backAfterMs: number | undefined;
}

const total = (presence: ReadonlyMap<string, number>): number =>
  presence.values().reduce((sum, count) => sum + count, 0);

/** Follows the devices for as long as `watchMs`. */
async function watchDevices(cluster: FaultCluster, devices: SimulatedDevices, all: number): Promise<Watched> {
  const startedAt = performance.now();
  const watched: Watched = { lowest: all, backAfterMs: 0 };
  for (let ms = 0; ms < watchMs; ms = performance.now() - startedAt) {
    const online = Math.min(devices.counts().online, total(await cluster.presence()));
    watched.lowest = Math.min(watched.lowest, online);
    if (online < all) watched.backAfterMs = undefined;
    else watched.backAfterMs ??= performance.now() - startedAt;
    await wait(250);
  }
  return watched;
}

/** Devices of nodes that are no longer there. */
const movedFrom = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number =>
  total(new Map([...before].filter(([node]) => !after.has(node))));

function backFigure({ backAfterMs }: Watched): Figure {
  const name = 'all devices online again after';
  return backAfterMs === undefined
    ? { name, value: `not within ${seconds(watchMs)}`, aim: `≤ ${seconds(backWithinMs)}`, reached: false }
    : atMost(name, backAfterMs, backWithinMs);
}

type Failures = ReturnType<FaultCluster['failures']>;

/** Requests that failed at other nodes waited for the one that failed, which is the servers' own fault. */
const placeFigures = (before: Failures, after: Failures): Figure[] => [
  { name: 'failed at this node', value: String(after.atFirst - before.atFirst) },
  exactly('failed at other nodes', after.atOthers - before.atOthers, 0),
  exactly('failed without a node', after.atNone - before.atNone, 0),
];

interface NodeFaultOptions extends ClusterOptions {
  /** Further figures, at the end. */
  figures?(cluster: FaultCluster): Promise<Figure[]>;
}

const nodeFault =
  (
    fail: (cluster: FaultCluster) => void,
    { figures = async () => [], ...options }: NodeFaultOptions = {},
  ): Scenario =>
  async ({ devices: count }) => {
    await using cluster = await startFaultCluster(options);
    await using devices = await connectDevices(cluster, count);
    const load = startLoadOn(cluster, requestsPerSecond);
    await wait(quietMs);
    const [before, arrivals] = [await cluster.presence(), devices.counts().arrivals];
    const failuresBefore = cluster.failures();
    const failedAt = performance.now();
    fail(cluster);
    const watched = await watchDevices(cluster, devices, count);
    const summary = await load.stop(failedAt);
    const moved = movedFrom(before, await cluster.presence());
    const reconnected = devices.counts().arrivals - arrivals;
    return [
      { name: 'devices', value: `${count}, at the nodes ${[...before.values()].join(', ')}` },
      backFigure(watched),
      { name: 'fewest online meanwhile', value: String(watched.lowest) },
      exactly('devices of other nodes that reconnected', Math.max(0, reconnected - moved), 0),
      ...loadFigures(summary),
      ...placeFigures(failuresBefore, cluster.failures()),
      ...(await figures(cluster)),
    ];
  };

const clockFault = (clockJumpMs: number): Scenario =>
  nodeFault(({ nodes }) => nodes[0]!.process.signal('SIGUSR2'), { clockJumpMs, figures: clockFigures });

export const nodeFaults = {
  'node-killed': nodeFault(({ nodes }) => nodes[0]!.process.signal('SIGKILL')),
  'node-frozen': nodeFault(({ nodes }) => nodes[0]!.process.signal('SIGSTOP')),
  'node-cut-off': nodeFault(({ gates }) => gates!.all.forEach((gate) => gate.hold()), { gated: true }),
  'node-clock': clockFault(3_600_000),
  'node-clock-back': clockFault(-3_600_000),
} as const;
