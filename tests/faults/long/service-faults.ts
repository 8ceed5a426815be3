/** NATS or PostgreSQL fails under load, and comes back. */
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgresPair, type PostgresPair } from '../../kit/nodes/postgres-pair.ts';
import { startFaultCluster, type FaultCluster } from './fault-cluster.ts';
import { loadFigures, startLoadOn } from './load-figures.ts';
import { atMost, type Figure, type Scenario } from './scenario.ts';
import { connectDevices, type SimulatedDevices } from './simulated-devices.ts';

const requestsPerSecond = 50;
const outageMs = 15_000;
const afterwardsMs = 20_000;

interface Outage {
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

const reconnections = (devices: SimulatedDevices, before: number): Figure => ({
  name: 'devices that reconnected',
  value: String(devices.counts().arrivals - before),
});

/** Milliseconds until a command reaches devices through each node: the balancer takes them in turn. */
async function untilCommandsWork({ owner }: FaultCluster, since: number): Promise<number> {
  const { body } = await owner.call('agents/list');
  const ids = (body['data'] as { id: number }[]).slice(0, 12).map(({ id }) => id);
  for (;;) {
    const answers = await Promise.all(ids.map((id) => owner.call('agents/lock', { id })));
    if (answers.every(({ http }) => http === 200)) return performance.now() - since;
    await wait(100);
  }
}

async function measureOutage(cluster: FaultCluster, count: number, outage: Outage): Promise<Figure[]> {
  await using devices = await connectDevices(cluster, count);
  const load = startLoadOn(cluster, requestsPerSecond);
  await wait(5_000);
  const [{ arrivals }, begunAt] = [devices.counts(), performance.now()];
  await outage.begin();
  await wait(outageMs);
  await outage.end();
  const worksAfter = await untilCommandsWork(cluster, performance.now());
  await wait(afterwardsMs);
  return [
    atMost('commands through all nodes again after', worksAfter, 15_000),
    reconnections(devices, arrivals),
    ...loadFigures(await load.stop(begunAt)),
  ];
}

const natsFault =
  (outageOf: (cluster: FaultCluster) => Outage): Scenario =>
  async ({ devices }) => {
    await using cluster = await startFaultCluster({ gated: true });
    return await measureOutage(cluster, Math.ceil(devices / 10), outageOf(cluster));
  };

const postgresFault =
  (fail: (pair: PostgresPair) => Promise<void>): Scenario =>
  async ({ devices: count }) => {
    await using pair = await startPostgresPair();
    await using cluster = await startFaultCluster({
      database: pair.urlOf([pair.primary.host, pair.standby.host]),
    });
    await using devices = await connectDevices(cluster, Math.ceil(count / 10));
    const load = startLoadOn(cluster, requestsPerSecond);
    await wait(5_000);
    const [{ arrivals }, begunAt] = [devices.counts(), performance.now()];
    await fail(pair);
    await wait(outageMs + afterwardsMs);
    return [reconnections(devices, arrivals), ...loadFigures(await load.stop(begunAt), 'database')];
  };

export const serviceFaults = {
  'nats-killed': natsFault(({ nats }) => ({ begin: () => nats.stop(), end: () => nats.start() })),
  'nats-frozen': natsFault(({ nats }) => ({
    begin: () => nats.signal('SIGSTOP'),
    end: () => nats.signal('SIGCONT'),
  })),
  'nats-partitioned': natsFault(({ gates }) => ({
    begin: () => gates!.nats.hold(),
    end: () => gates!.nats.release(),
  })),
  'postgres-immediate': postgresFault(async ({ primary }) => {
    await primary.stopImmediately();
    await primary.start();
  }),
  'postgres-failover': postgresFault(async ({ primary, standby }) => {
    await primary.signal('SIGKILL');
    await standby.query('select pg_promote()');
  }),
} as const;
