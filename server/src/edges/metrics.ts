/** The server's metrics for Prometheus: requests, refusals, commits and the process. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** Counts an answered request. `operation` is a name and never a path from the request. */
  observeRequest(operation: string, http: number, seconds: number): void;
  /** Counts a request that was refused with this fault code. */
  countRefusal(code: string): void;
  /** Records a commit and the number of changes in it. */
  observeCommit(changes: number, seconds: number): void;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

const requestSeconds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3];
const commitSeconds = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1];
const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export function createMetrics({ version }: { version: string }): Metrics {
  const registry = new Registry();
  const refusals = refusalCounter(registry);
  const commits = commitHistograms(registry);
  setBuildInfo(registry, version);
  return {
    observeRequest: requestObserver(registry),
    countRefusal: (code) => refusals(code).inc(),
    observeCommit: (changes, seconds) => {
      commits.size.observe(changes);
      commits.duration.observe(seconds);
    },
    text: async () => (await Promise.all([registry.metrics(), processRegistry().metrics()])).join('\n'),
  };
}

function requestObserver(registry: Registry): Metrics['observeRequest'] {
  const counter = new Counter({
    name: 'drawbridge_http_requests_total',
    help: 'Requests answered, by operation and HTTP code.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const histogram = new Histogram({
    name: 'drawbridge_http_request_duration_seconds',
    help: 'Time from a request to its answer, by operation.',
    labelNames: ['operation'],
    buckets: requestSeconds,
    registers: [registry],
  });
  const durations = memoize((operation: string) => histogram.labels(operation));
  const counts = memoize((operation: string) =>
    memoize((http: number) => counter.labels(operation, String(http))),
  );
  return (operation, http, seconds) => {
    counts(operation)(http).inc();
    durations(operation).observe(seconds);
  };
}

function refusalCounter(registry: Registry): (code: string) => Counter.Internal {
  const counter = new Counter({
    name: 'drawbridge_refusals_total',
    help: 'Requests refused, by fault code.',
    labelNames: ['code'],
    registers: [registry],
  });
  return memoize((code: string) => counter.labels(code));
}

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

function setBuildInfo(registry: Registry, version: string): void {
  const gauge = new Gauge({
    name: 'drawbridge_build_info',
    help: 'Always 1; the labels say what is running.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  gauge.set({ version, node: process.versions.node }, 1);
}

/** To look up a metric's labels costs more than to count, so each combination is looked up once. */
function memoize<K extends string | number, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
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
