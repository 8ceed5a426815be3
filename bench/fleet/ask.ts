/** Questions to a server over HTTPS, and how long their answers take. */
import { Agent, request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';

export interface Question {
  url: string;
  headers: Record<string, string>;
  /** Without one, it is a GET. */
  body?: string;
}

export interface Answered {
  ms: number;
  http: number;
  text: string;
}

/** Those who ask are elsewhere than the fleet. */
const localAddress = '127.0.0.2';

/** Without an agent, on a connection of its own. */
export function ask({ url, headers, body }: Question, agent: Agent | false = false): Promise<Answered> {
  const started = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request(
    url,
    { method, headers, agent, localAddress, rejectUnauthorized: false },
    (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ ms: performance.now() - started, http: answer.statusCode!, text }));
    },
  );
  asked.setTimeout(30_000, () => asked.destroy(new Error('no answer within 30 s')));
  asked.on('error', reject).end(body);
  return promise;
}

export interface Times {
  p50: number;
  p99: number;
  failures: number;
}

export function timesOf(answers: readonly (Answered | undefined)[]): Times {
  const good = answers.filter((each) => each?.http === 200).map((each) => each!.ms);
  const sorted = good.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return { p50: at(0.5), p99: at(0.99), failures: answers.length - good.length };
}

/** Asks all of them, one after the other, on a connection that stays. */
export async function askInTurn(questions: readonly Question[]): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: (Answered | undefined)[] = [];
  for (const question of questions) answers.push(await ask(question, agent).catch(() => undefined));
  agent.destroy();
  return timesOf(answers);
}

const everyMs = 50;
/** One question in so many comes on a new connection. */
const anew = 10;

/** Asks twenty times a second whatever the answers take, until told to stop. */
export function keepAsking(question: Question): { stop(): Promise<Times> } {
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<Answered | undefined>[] = [];
  const end = new AbortController();
  const asking = (async () => {
    while (!end.signal.aborted) {
      const way = answers.length % anew === 0 ? false : agent;
      answers.push(ask(question, way).catch(() => undefined));
      await wait(everyMs);
    }
  })();
  return {
    async stop() {
      end.abort();
      await asking;
      const times = timesOf(await Promise.all(answers));
      agent.destroy();
      return times;
    },
  };
}
