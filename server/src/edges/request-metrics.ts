/** Counts and times requests in plain numbers, because it happens with each of them, and writes them in the format of Prometheus. */

interface RequestMetrics {
  observe(operation: string, http: number, seconds: number): void;
  text(): string;
}

interface OperationTally {
  /** Requests by HTTP code. */
  codes: Map<number, number>;
  /** Requests by the first bound that they do not exceed; those beyond all bounds come last. */
  buckets: number[];
  /** Of all requests. */
  seconds: number;
}

const bounds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3];
const labels = [...bounds.map(String), '+Inf'];

export function createRequestMetrics(): RequestMetrics {
  const tallies = new Map<string, OperationTally>();
  return {
    observe(operation, http, seconds) {
      let tally = tallies.get(operation);
      if (!tally)
        tallies.set(operation, (tally = { codes: new Map(), buckets: labels.map(() => 0), seconds: 0 }));
      tally.codes.set(http, (tally.codes.get(http) ?? 0) + 1);
      tally.buckets[bucketOf(seconds)]! += 1;
      tally.seconds += seconds;
    },
    text: () => [...countLines(tallies), '', ...durationLines(tallies), ''].join('\n'),
  };
}

function bucketOf(seconds: number): number {
  let at = 0;
  while (at < bounds.length && seconds > bounds[at]!) at += 1;
  return at;
}

function* countLines(tallies: ReadonlyMap<string, OperationTally>): Generator<string> {
  const name = 'drawbridge_http_requests_total';
  yield `# HELP ${name} Requests answered, by operation and HTTP code.`;
  yield `# TYPE ${name} counter`;
  for (const [operation, { codes }] of tallies)
    for (const [http, count] of codes) yield `${name}{operation="${operation}",status="${http}"} ${count}`;
}

function* durationLines(tallies: ReadonlyMap<string, OperationTally>): Generator<string> {
  const name = 'drawbridge_http_request_duration_seconds';
  yield `# HELP ${name} Time from a request to its answer, by operation.`;
  yield `# TYPE ${name} histogram`;
  for (const [operation, { buckets, seconds }] of tallies) {
    let count = 0;
    for (const [at, label] of labels.entries()) {
      count += buckets[at]!;
      yield `${name}_bucket{le="${label}",operation="${operation}"} ${count}`;
    }
    yield `${name}_sum{operation="${operation}"} ${seconds}`;
    yield `${name}_count{operation="${operation}"} ${count}`;
  }
}
