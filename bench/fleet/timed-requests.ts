/** Sends requests to a server over HTTPS and measures their latency. */
import { Agent, request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';

export interface TimedRequest {
  url: string;
  headers: Record<string, string>;
  /** Without a body, the request is a GET. */
  body?: string;
}

export interface TimedResponse {
  ms: number;
  http: number;
  text: string;
}

/** The requests come from another address than the fleet. */
const localAddress = '127.0.0.2';

/** Without an agent, the request uses its own connection. */
export function sendTimed(
  { url, headers, body }: TimedRequest,
  agent: Agent | false = false,
): Promise<TimedResponse> {
  const started = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<TimedResponse>();
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request(url, { method, headers, agent, localAddress, rejectUnauthorized: false }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part: string) => (text += part));
    answer.on('end', () => resolve({ ms: performance.now() - started, http: answer.statusCode!, text }));
  });
  sent.setTimeout(30_000, () => sent.destroy(new Error('no answer within 30 s')));
  sent.on('error', reject).end(body);
  return promise;
}

export interface LatencySummary {
  p50: number;
  p99: number;
  failures: number;
  /** What the first failed request was answered. */
  firstFailure: string | undefined;
}

function summarize(answers: readonly (TimedResponse | undefined)[]): LatencySummary {
  const good = answers.filter((each) => each?.http === 200).map((each) => each!.ms);
  const sorted = good.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
  const failed = answers.find((each) => each?.http !== 200);
  return {
    p50: at(0.5),
    p99: at(0.99),
    failures: answers.length - good.length,
    firstFailure: good.length < answers.length ? (failed?.text ?? 'no answer') : undefined,
  };
}

/** Sends all requests one after the other on one connection. */
export async function sendInSequence(questions: readonly TimedRequest[]): Promise<LatencySummary> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: (TimedResponse | undefined)[] = [];
  for (const question of questions) answers.push(await sendTimed(question, agent).catch(() => undefined));
  agent.destroy();
  return summarize(answers);
}

const everyMs = 50;
/** One request in this many uses a new connection. */
const newConnectionEvery = 10;

/** Sends twenty requests per second, independent of the responses, until stopped. */
export function sendContinuously(question: TimedRequest): { stop(): Promise<LatencySummary> } {
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<TimedResponse | undefined>[] = [];
  const end = new AbortController();
  const asking = (async () => {
    while (!end.signal.aborted) {
      const connectionAgent = answers.length % newConnectionEvery === 0 ? false : agent;
      answers.push(sendTimed(question, connectionAgent).catch(() => undefined));
      await wait(everyMs);
    }
  })();
  return {
    async stop() {
      end.abort();
      await asking;
      const times = summarize(await Promise.all(answers));
      agent.destroy();
      return times;
    },
  };
}
