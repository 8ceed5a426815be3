/** Generates the load of a case: the same request over and over, or alternating with a change after which a list is built again. */
import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { runLoad, type LoadResult, type LoadTarget } from '../kit/load.ts';
import { cpuSeconds } from '../kit/process.ts';
import { type BenchCase, toLoadTarget, type ServerUnderLoad } from './cases.ts';

export const runCase = (each: BenchCase, server: ServerUnderLoad, seconds: number): Promise<LoadResult> =>
  each.changedAgent === undefined
    ? runLoad(toLoadTarget(each, server), { connections: each.connections, seconds })
    : alternate(each, server, seconds);

/** CPU seconds per request of a case. The cost of the changes between the requests is subtracted. */
export async function runMeasured(each: BenchCase, server: ServerUnderLoad, seconds: number) {
  const changes = await changeCost(each, server, seconds);
  const before = cpuSeconds(server.pid);
  const result = await runCase(each, server, seconds);
  return { ...result, cpu: (cpuSeconds(server.pid) - before) / result.requests - changes };
}

async function changeCost(each: BenchCase, server: ServerUnderLoad, seconds: number): Promise<number> {
  if (each.changedAgent === undefined) return 0;
  using client = openClient(toLoadTarget(each, server));
  const before = cpuSeconds(server.pid);
  const count = await repeat(seconds, (turn) => client.change(each.changedAgent!, turn));
  return (cpuSeconds(server.pid) - before) / count;
}

async function alternate(each: BenchCase, server: ServerUnderLoad, seconds: number): Promise<LoadResult> {
  using client = openClient(toLoadTarget(each, server));
  const times: number[] = [];
  const requests = await repeat(seconds, async (turn) => {
    await client.change(each.changedAgent!, turn);
    const started = performance.now();
    await client.read();
    times.push(performance.now() - started);
  });
  const p99Ms = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
  return { requests, failures: 0, perSecond: requests / seconds, p99Ms };
}

/** Returns how often it was done in this time. */
async function repeat(seconds: number, work: (turn: number) => Promise<void>): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let turn = 0;
  for (; performance.now() < end; turn += 1) await work(turn);
  return turn;
}

/** One connection that sends one request at a time and fails on any refusal. */
export function openClient({ url, headers }: LoadTarget) {
  const secure = url.startsWith('https:');
  const agent = secure
    ? new SecureAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    : new PlainAgent({ keepAlive: true, maxSockets: 1 });
  const send = (method: string, target: string, body = ''): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = (secure ? secureRequest : plainRequest)(target, { method, headers, agent });
      sent.on('error', reject).on('response', (response) => {
        response.resume().on('end', resolve);
        if (response.statusCode !== 200) reject(new Error(`${target} answered ${response.statusCode}.`));
      });
      sent.end(body);
    });
  return {
    read: () => send('GET', url),
    change: (id: number, turn: number) =>
      send(
        'POST',
        new URL('/v1/agents/favorite', url).href,
        JSON.stringify({ id, favorite: turn % 2 === 0 }),
      ),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
