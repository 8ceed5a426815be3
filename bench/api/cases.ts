/** What is measured: the operations, the server and the limit they are held against, over TLS and without. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { join } from 'node:path';
import type { SeededFleet } from '../kit/fleet.ts';
import type { LoadTarget } from '../kit/load.ts';
import { endProcess } from '../kit/process.ts';
import type { MeasuredServer } from '../kit/server.ts';
import type { RecordedResponse, RawServerSetup } from './raw-server.ts';

/** One line of the table: an operation, and how hard it is pressed. */
export interface BenchCase {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  apiKey: string;
  connections: number;
  /** Ask for the answer in gzip; there is no limit to hold that against. */
  gzip?: boolean;
}

/** A server under load, by where it is reached. */
export interface ServerUnderLoad {
  pid: number;
  origin: string;
  headers: Record<string, string>;
}

export const createCases = (thousand: SeededFleet, tenThousand: SeededFleet): BenchCase[] => {
  const read = (name: string, path: string, { apiKey }: SeededFleet, connections: number): BenchCase => ({
    name,
    method: 'GET',
    path,
    apiKey,
    connections,
  });
  // A parameter nobody knows is ignored; it only tells the two lists apart for the bare server.
  const lists = [
    read('agents/list of 1,000', '/v1/agents/list', thousand, 4),
    read('agents/list of 10,000', '/v1/agents/list?of=10000', tenThousand, 2),
  ];
  return [
    read('agents/info', `/v1/agents/info?agent_id=${thousand.agentIds[1]!}`, thousand, 32),
    read('groups/list', '/v1/groups/list', thousand, 32),
    ...lists,
    ...lists.map((each) => ({ ...each, name: `${each.name}, gzip`, gzip: true })),
    {
      name: 'support/create (durable)',
      method: 'POST',
      path: '/v1/support/create?client_name=Ann',
      apiKey: thousand.apiKey,
      connections: 64,
    },
  ];
};

export const toLoadTarget = (each: BenchCase, { origin, headers }: ServerUnderLoad): LoadTarget => ({
  url: origin + each.path,
  method: each.method,
  headers: { 'X-Api-Key': each.apiKey, ...headers, ...(each.gzip && { 'Accept-Encoding': 'gzip' }) },
});

/** The real answer to a case, which the bare server then repeats. */
export function recordResponse(each: BenchCase, { port }: MeasuredServer): Promise<RecordedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RecordedResponse>();
  const { method, path } = each;
  const headers = { 'X-Api-Key': each.apiKey };
  const asked = request({ port, method, path, headers, host: '127.0.0.1', rejectUnauthorized: false });
  asked.on('error', reject).end();
  asked.on('response', (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      if (answer.statusCode !== 200) return reject(new Error(`${path} answered ${answer.statusCode}.`));
      const { date: _date, connection: _connection, 'keep-alive': _keep, ...kept } = answer.headers;
      resolve({ headers: kept as Record<string, string>, body: Buffer.concat(chunks).toString('base64') });
    });
  });
  return promise;
}

/** Starts the bare server in a process of its own. */
export async function startRawServer(
  setup: RawServerSetup,
): Promise<{ pid: number; secure: number; plain: number } & AsyncDisposable> {
  const child = fork(join(import.meta.dirname, 'raw-server.ts'));
  child.send(setup);
  const [ports] = (await once(child, 'message')) as [{ secure: number; plain: number }];
  return { pid: child.pid!, ...ports, [Symbol.asyncDispose]: () => endProcess(child) };
}
