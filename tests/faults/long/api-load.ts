/** Requests at a constant rate, however long the answers take, and how many of them failed for how long. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';

export interface ApiLoadOptions {
  url: string;
  apiKey: string;
  certFile: string;
  perSecond: number;
}

interface Sample {
  /** When it was sent, in milliseconds of `performance.now()`. */
  at: number;
  ms: number;
  /** The status code, or why there is none. */
  outcome: string;
}

export interface ApiLoad {
  /** Stops sending, waits for the last answers, and sums up what was sent from then on. */
  stop(since: number): Promise<LoadSummary>;
}

export interface LoadSummary {
  requests: number;
  failed: number;
  /** From the first failed request to the last. */
  failingSeconds: number;
  p50: number;
  p99: number;
  /** How often each failure occurred. */
  outcomes: Record<string, number>;
}

const timeoutMs = 10_000;
/** One request in this many is a change. */
const writeEvery = 10;

function send({ url, apiKey }: ApiLoadOptions, agent: Agent, isWrite: boolean): Promise<Sample> {
  const at = performance.now();
  const path = isWrite ? '/v1/support/create?client_name=load' : '/v1/groups/list';
  const { promise, resolve } = Promise.withResolvers<Sample>();
  const end = (outcome: string): void => resolve({ at, ms: performance.now() - at, outcome });
  const options = { method: isWrite ? 'POST' : 'GET', agent, headers: { 'X-Api-Key': apiKey } };
  const sent = request(url + path, options, (answer) => {
    answer.resume().on('end', () => end(String(answer.statusCode)));
    answer.on('error', () => end('broken'));
  });
  sent.setTimeout(timeoutMs, () => sent.destroy(new Error('timeout')));
  sent.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message)).end();
  return promise;
}

function sumUp(samples: readonly Sample[]): LoadSummary {
  const failures = samples.filter(({ outcome }) => outcome !== '200');
  const times = samples.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (part: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const outcomes: Record<string, number> = {};
  for (const { outcome } of failures) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const [first, last] = [failures[0], failures.at(-1)];
  return {
    requests: samples.length,
    failed: failures.length,
    failingSeconds: first && last ? (last.at - first.at) / 1_000 : 0,
    p50: at(0.5),
    p99: at(0.99),
    outcomes,
  };
}

export function startApiLoad(options: ApiLoadOptions): ApiLoad {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(options.certFile, 'utf8') });
  const samples: Promise<Sample>[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * options.perSecond;
    while (samples.length < due)
      samples.push(send(options, agent, samples.length % writeEvery === writeEvery - 1));
  }, 5);
  return {
    async stop(since) {
      clearInterval(timer);
      const all = await Promise.all(samples);
      agent.destroy();
      return sumUp(all.filter(({ at }) => at >= since));
    },
  };
}
