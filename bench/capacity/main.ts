/** Measures how fast leases of devices are extended, and prints what deployments of several sizes need by the capacity model. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '@drawbridge/server/store/engine/open';
import { seedFleet } from '../kit/fleet.ts';
import { formatNumber, toTextTable } from '../kit/table.ts';
import { openDatabaseFor } from '../../tests/kit/server/database.ts';
import { startPostgres } from '../../tests/kit/server/postgres.ts';
import { capacityOf, type CapacityConstants, type Deployment } from './model.ts';

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '10' },
    /** Measures PostgreSQL instead of SQLite. */
    postgres: { type: 'boolean', default: false },
  },
});

/** Extends all leases of one node again and again, as a gateway does; returns leases a second in the best round. */
async function measureLeases(url: string | undefined): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-capacity-'));
  const store = await openStore({ folder, url });
  try {
    const { agentIds } = await seedFleet(store, 'bench@example.com', Number(values.devices));
    const node = 'bench';
    const leaseUntil = (): number => store.now() + 30;
    const agents = agentIds.map((id) => ({ id }));
    await store.change('presence/renew', { node, agents, leaseUntil: leaseUntil() });
    let best = Infinity;
    for (let round = 0; round < Number(values.rounds); round++) {
      const started = performance.now();
      const { held } = await store.change('presence/extend', { node, leaseUntil: leaseUntil() });
      best = Math.min(best, performance.now() - started);
      if (held.length !== agentIds.length) throw new Error(`Only ${held.length} leases were extended.`);
    }
    return (agentIds.length / best) * 1_000;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOnPostgres(): Promise<number> {
  const postgres = await startPostgres();
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  try {
    return await measureLeases((await openDatabaseFor('postgres')).env['DRAWBRIDGE_DATABASE']);
  } finally {
    await postgres.stop();
  }
}

/** From runs of the other benchmarks, as docs/scaling.md says. */
const fromBenchmarks: Omit<CapacityConstants, 'leasesPerSecond'> = {
  memoryPerDeviceKb: 65,
  idlePercentPer10k: 3,
  cpuPerArrivalMs: 2.6,
  relaySessionsPerCore: 122,
  memoryPerSessionKb: 484,
  cpuPerRequestMs: 0.22,
  changesPerSecond: 401,
};

const sizes: readonly Deployment[] = [
  { devices: 10_000, sessions: 100, relayed: 1, requestsPerSecond: 50, usable: 0.6 },
  { devices: 100_000, sessions: 1_000, relayed: 1, requestsPerSecond: 500, usable: 0.6 },
  { devices: 1_000_000, sessions: 10_000, relayed: 1, requestsPerSecond: 5_000, usable: 0.6 },
];

const leasesPerSecond = values.postgres ? await measureOnPostgres() : await measureLeases(undefined);
console.log(
  `${values.postgres ? 'PostgreSQL' : 'SQLite'}: ${formatNumber(leasesPerSecond)} leases a second.\n`,
);
const needs = sizes.map((size) => capacityOf(size, { ...fromBenchmarks, leasesPerSecond }));
const rows = Object.keys(needs[0]!).map((name) => [
  name,
  ...needs.map((each) => formatNumber(each[name as keyof typeof each])),
]);
console.log(toTextTable(['', ...sizes.map(({ devices }) => formatNumber(devices))], rows));
