/** The server's metrics for Prometheus: requests, refusals, commits and the process. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createRequestMetrics } from './request-metrics.ts';

export interface Metrics {
  /** Counts an answered request. `operation` is a name and never a path from the request. */
  observeRequest(operation: string, http: number, seconds: number): void;
  /** Counts a request that was refused with this fault code. */
  countRefusal(code: string): void;
  /** Records a commit and the number of changes in it. */
  observeCommit(changes: number, seconds: number): void;
  setCertificateExpiry(notAfter: Date): void;
  /** How many attempts to renew the certificate failed since the last success. */
  setCertificateFailures(count: number): void;
  /** Whether a relay in another region is connected. */
  setRelay(name: string, isConnected: boolean): void;
  /** Whether NATS is connected. */
  setBus(isConnected: boolean): void;
  /** From now on these are read with each request for the metrics. */
  follow(counts: LiveCounts): void;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

/** What is connected to this server, and whom it reaches. */
interface LiveCounts {
  devices(): number;
  sessions(): number;
  /** Other servers on the database. Absent on a server that is alone on it. */
  servers?: { alive(): number; reached(): number } | undefined;
}

const commitSeconds = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1];
const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];

interface ServerInfo {
  version: string;
  roles?: readonly string[];
}

export function createMetrics({ version, roles = [] }: ServerInfo): Metrics {
  const registry = new Registry();
  const requests = createRequestMetrics();
  const refusals = refusalCounter(registry);
  const commits = commitHistograms(registry);
  const certificate = certificateGauges(registry);
  const relays = relayGauge(registry);
  setBuildInfo(registry, version);
  setRoles(registry, roles);
  return {
    observeRequest: requests.observe,
    countRefusal: (code) => refusals.inc({ code }),
    observeCommit: (changes, seconds) => {
      commits.size.observe(changes);
      commits.duration.observe(seconds);
    },
    setCertificateExpiry: (notAfter) => certificate.expiry.set(notAfter.getTime() / 1_000),
    setCertificateFailures: (count) => certificate.failures.set(count),
    setRelay: (relay, isConnected) => relays.set({ relay }, isConnected ? 1 : 0),
    setBus: (isConnected) => busGauge(registry).set(isConnected ? 1 : 0),
    follow: (counts) => addLiveMetrics(registry, counts),
    text: async () =>
      [requests.text(), await registry.metrics(), await processRegistry().metrics()].join('\n'),
  };
}

const refusalCounter = (registry: Registry): Counter<'code'> =>
  new Counter({
    name: 'drawbridge_refusals_total',
    help: 'Requests refused, by fault code.',
    labelNames: ['code'],
    registers: [registry],
  });

function commitHistograms(registry: Registry): { size: Histogram; duration: Histogram } {
  return {
    size: new Histogram({
      name: 'drawbridge_commit_changes',
      help: 'Changes that shared one commit.',
      buckets: batchSizes,
      registers: [registry],
    }),
    duration: new Histogram({
      name: 'drawbridge_commit_duration_seconds',
      help: 'Time to make one commit durable.',
      buckets: commitSeconds,
      registers: [registry],
    }),
  };
}

function certificateGauges(registry: Registry): { expiry: Gauge; failures: Gauge } {
  return {
    expiry: new Gauge({
      name: 'drawbridge_certificate_expiry_timestamp_seconds',
      help: 'When the certificate that the server presents expires, in seconds since 1970.',
      registers: [registry],
    }),
    failures: new Gauge({
      name: 'drawbridge_certificate_failures',
      help: 'Attempts to obtain a certificate that failed since the last success.',
      registers: [registry],
    }),
  };
}

const relayGauge = (registry: Registry): Gauge<'relay'> =>
  new Gauge({
    name: 'drawbridge_relay_connected',
    help: 'Whether the relay in another region is connected (1) or away (0).',
    labelNames: ['relay'],
    registers: [registry],
  });

/** Created only where a bus is set, so that servers without one do not seem to have lost it. */
const busGauge = (registry: Registry): Gauge =>
  (registry.getSingleMetric('drawbridge_bus_connected') as Gauge | undefined) ??
  new Gauge({
    name: 'drawbridge_bus_connected',
    help: 'Whether NATS is connected (1) or away (0).',
    registers: [registry],
  });

function addLiveMetrics(registry: Registry, { devices, sessions, servers }: LiveCounts): void {
  const add = (name: string, help: string, read: () => number): void =>
    void new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  add('drawbridge_devices_connected', 'Devices that are connected to this server.', devices);
  add('drawbridge_sessions_open', 'Sessions that this server holds.', sessions);
  if (!servers) return;
  add('drawbridge_other_servers', 'Other servers on the database that are alive.', servers.alive);
  add('drawbridge_other_servers_reached', 'Those of them that answer on the bus.', servers.reached);
}

function setBuildInfo(registry: Registry, version: string): void {
  const gauge = new Gauge({
    name: 'drawbridge_build_info',
    help: 'Always 1; the labels say what is running.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  gauge.set({ version, node: process.versions.node }, 1);
}

function setRoles(registry: Registry, roles: readonly string[]): void {
  const gauge = new Gauge({
    name: 'drawbridge_role',
    help: 'Always 1; one line for each role of this process.',
    labelNames: ['role'],
    registers: [registry],
  });
  for (const role of roles) gauge.set({ role }, 1);
}

let processMetrics: Registry | undefined;

/** Memory, CPU, garbage collection and event loop delay belong to the process: collected once, from the first request on. */
function processRegistry(): Registry {
  if (processMetrics === undefined) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  return processMetrics;
}
