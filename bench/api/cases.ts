/** The measured operations, and the baseline server they are compared with, with and without TLS. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { join } from 'node:path';
import type { SeededFleet } from '../kit/fleet.ts';
import type { LoadTarget } from '../kit/load.ts';
import { endProcess } from '../kit/process.ts';
import type { MeasuredServer } from '../kit/server.ts';
import type { RecordedResponse, RawServerSetup } from './raw-server.ts';

/** One row of the table: an operation and its load. */
export interface BenchCase {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  apiKey: string;
  connections: number;
  /** Requests a gzip response. */
  gzip?: boolean;
  /** Sends an ETag that matches, so that the response is 304. */
  known?: boolean;
  /** A device that is changed before each request, so that the list is built again. */
  changedAgent?: number;
}

/** The baseline server repeats whole responses only. */
export const hasBaseline = ({ gzip, known, changedAgent }: BenchCase): boolean =>
  !gzip && !known && changedAgent === undefined;

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
  // The unknown parameter is ignored; it only distinguishes the two lists for the baseline server.
  const lists = [
    read('agents/list of 1,000', '/v1/agents/list', thousand, 4),
    read('agents/list of 10,000', '/v1/agents/list?of=10000', tenThousand, 2),
  ];
  return [
    read('agents/info', `/v1/agents/info?agent_id=${thousand.agentIds[1]!}`, thousand, 32),
    read('groups/list', '/v1/groups/list', thousand, 32),
    ...lists,
    ...lists.map((each) => ({ ...each, name: `${each.name}, gzip`, gzip: true })),
    ...lists.map((each) => ({ ...each, name: `${each.name}, 304`, known: true, connections: 16 })),
    ...lists.map((each, at) => ({
      ...each,
      name: `${each.name}, rebuilt`,
      changedAgent: [thousand, tenThousand][at]!.agentIds[1]!,
    })),
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
  headers: {
    'X-Api-Key': each.apiKey,
    ...headers,
    ...(each.gzip && { 'Accept-Encoding': 'gzip' }),
    ...(each.known && { 'If-None-Match': '*' }),
  },
});

/** The real response to a case, which the baseline server then repeats. */
export function recordResponse(each: BenchCase, { port }: MeasuredServer): Promise<RecordedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RecordedResponse>();
  const { method, path } = each;
  const headers = { 'X-Api-Key': each.apiKey };
  const sent = request({ port, method, path, headers, host: '127.0.0.1', rejectUnauthorized: false });
  sent.on('error', reject).end();
  sent.on('response', (answer) => {
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

/** Starts the baseline server in its own process. */
export async function startRawServer(
  setup: RawServerSetup,
): Promise<{ pid: number; secure: number; plain: number } & AsyncDisposable> {
  const child = fork(join(import.meta.dirname, 'raw-server.ts'));
  child.send(setup);
  const [ports] = (await once(child, 'message')) as [{ secure: number; plain: number }];
  return { pid: child.pid!, ...ports, [Symbol.asyncDispose]: () => endProcess(child) };
}
