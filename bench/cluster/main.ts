/** Benchmark of several nodes: CPU of reads and writes on one, two and three nodes beside SQLite, and commands to a device of another node. */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../tests/kit/server/postgres.ts';
import { startSimulator } from '../fleet/simulator.ts';
import {
  sendInSequence,
  sendTimed,
  type LatencySummary,
  type TimedRequest,
} from '../fleet/timed-requests.ts';
import { build } from '../kit/build.ts';
import { runLoad, type LoadTarget } from '../kit/load.ts';
import { cpuSeconds } from '../kit/process.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import type { MeasuredServer } from '../kit/server.ts';
import { formatNumber, toTextTable } from '../kit/table.ts';
import { startCluster, type ClusterSetup, type MeasuredCluster } from './setup.ts';

const { values } = parseArgs({
  options: {
    /** In less, servers that have just started still compile their code. */
    seconds: { type: 'string', default: '12' },
    /** How many commands are sent to each node. */
    commands: { type: 'string', default: '1000' },
  },
});
const aimMs = 3;
/** Of the servers' CPU, without PostgreSQL. */
const maxWriteMs = 3;

const setups: readonly ClusterSetup[] = [
  { name: 'SQLite', database: 'sqlite', nodes: 1 },
  { name: 'PostgreSQL, 1 node', database: 'postgres', nodes: 1 },
  { name: 'PostgreSQL, 2 nodes', database: 'postgres', nodes: 2 },
  { name: 'PostgreSQL, 3 nodes', database: 'postgres', nodes: 3 },
];

interface RequestCost {
  perSecond: number;
  /** Of all nodes together. */
  cpuMicroseconds: number;
}

const originOf = ({ port }: MeasuredServer): string => `https://127.0.0.1:${port}`;

/** One load for each account; they are spread over the nodes. */
async function measureRequests(
  { servers, apiKeys }: MeasuredCluster,
  method: LoadTarget['method'],
  path: string,
): Promise<RequestCost> {
  const run = (seconds: number) =>
    Promise.all(
      apiKeys.map((key, index) => {
        const url = originOf(servers[index % servers.length]!) + path;
        return runLoad({ url, method, headers: { 'X-Api-Key': key } }, { connections: 16, seconds });
      }),
    );
  const cpu = (): number => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  await run(2);
  const before = cpu();
  const results = await run(Number(values.seconds));
  const used = cpu() - before;
  const failures = results.reduce((sum, each) => sum + each.failures, 0);
  if (failures > 0) throw new Error(`${failures} requests failed.`);
  const requests = results.reduce((sum, each) => sum + each.requests, 0);
  const perSecond = results.reduce((sum, each) => sum + each.perSecond, 0);
  return { perSecond, cpuMicroseconds: (used / requests) * 1e6 };
}

const reachWithinMs = 60_000;

/** The simulator counts a device as online as soon as its connection is open. */
async function untilReached(command: TimedRequest): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const { http, text } = await sendTimed(command);
    if (http === 200) return;
    if (performance.now() - startedAt > reachWithinMs) throw new Error(`No command arrives: ${text}`);
    await wait(100);
  }
}

/** A device takes only so many commands in a row, so that they go to many. */
const deviceCount = 50;

/** Commands to devices of the first node that arrive at the first node, and that arrive at the last. */
async function measureCommands({ servers, apiKeys }: MeasuredCluster): Promise<LatencySummary[]> {
  const requestTo = (server: MeasuredServer, path: string, body: object): TimedRequest => ({
    url: `${originOf(server)}/v1/${path}`,
    headers: { 'X-Api-Key': apiKeys[0]!, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const [first, last] = [servers[0]!, servers.at(-1)!];
  const { text } = await sendTimed(requestTo(first, 'agents/enroll/create', { uses: deviceCount }));
  const { token } = JSON.parse(text) as { token: string };
  await using simulator = startSimulator(originOf(first), token, deviceCount, 1);
  await simulator.until((online) => online === deviceCount, 60);
  const list = { url: `${originOf(first)}/v1/agents/list`, headers: { 'X-Api-Key': apiKeys[0]! } };
  const { data } = JSON.parse((await sendTimed(list)).text) as { data: { id: number }[] };
  const summaries: LatencySummary[] = [];
  for (const server of new Set([first, last])) {
    const commands = data.map(({ id }) => requestTo(server, 'agents/lock', { id }));
    for (const command of commands) await untilReached(command);
    const measured = Array.from(
      { length: Number(values.commands) },
      (_, index) => commands[index % deviceCount]!,
    );
    summaries.push(await sendInSequence(measured));
  }
  return summaries;
}

const describeLatency = (summary: LatencySummary | undefined): string =>
  summary === undefined
    ? '–'
    : `${summary.p50.toFixed(1)} / ${summary.p99.toFixed(1)}${summary.failures > 0 ? `, ${summary.failures} failed: ${summary.firstFailure}` : ''}`;

interface Measured {
  row: string[];
  writes: RequestCost;
  commands: LatencySummary[];
}

async function measure(setup: ClusterSetup): Promise<Measured> {
  await using cluster = await startCluster(setup);
  const reads = await measureRequests(cluster, 'GET', '/v1/groups/list');
  const commands = await measureCommands(cluster);
  const writes = await measureRequests(cluster, 'POST', '/v1/support/create?client_name=Ann');
  const costs = [reads, writes].flatMap(({ perSecond, cpuMicroseconds }) => [
    formatNumber(perSecond),
    formatNumber(cpuMicroseconds),
  ]);
  const row = [setup.name, ...costs, describeLatency(commands[0]), describeLatency(commands[1])];
  console.log(row.join('  '));
  return { row, writes, commands };
}

function printAim([here, there]: readonly LatencySummary[]): void {
  const more = there!.p50 - here!.p50;
  console.log(
    `\nA command to another node takes ${more.toFixed(1)} ms more (p50); aim ≤ ${aimMs} ms: ${verdictOf(more <= aimMs)}.`,
  );
}

/** Of one node and of three. */
function printWriteAims(one: RequestCost, three: RequestCost): void {
  for (const [name, { cpuMicroseconds }] of Object.entries({ 'one node': one, 'three nodes': three }))
    console.log(
      `A write takes ${(cpuMicroseconds / 1_000).toFixed(2)} ms of CPU with ${name}; aim ≤ ${maxWriteMs} ms: ${verdictOf(cpuMicroseconds <= maxWriteMs * 1_000)}.`,
    );
  const [rate, rateOfThree] = [one, three].map(({ perSecond }) => formatNumber(perSecond));
  console.log(
    `Three nodes write ${rateOfThree} a second, one ${rate}; aim at least as much: ${verdictOf(three.perSecond >= one.perSecond)}.`,
  );
}

const verdictOf = (isReached: boolean): string => (isReached ? 'reached' : 'missed');

/** Round trips to PostgreSQL for one request, without those of the server itself in the same time. */
async function measureRoundTrips(): Promise<void> {
  await using cluster = await startCluster({ name: '', database: 'postgres', nodes: 1, counted: true });
  const count = Number(values.commands);
  const paths = { read: 'groups/list', write: 'support/create?client_name=Ann' };
  for (const [name, path] of Object.entries(paths)) {
    const url = `${originOf(cluster.servers[0]!)}/v1/${path}`;
    const headers = { 'X-Api-Key': cluster.apiKeys[0]! };
    const requests = Array.from({ length: count }, () => ({
      url,
      headers,
      ...(name === 'write' && { body: '' }),
    }));
    await sendInSequence(requests.slice(0, 20));
    const [before, startedAt] = [cluster.roundTrips(), performance.now()];
    const { failures, firstFailure } = await sendInSequence(requests);
    const [during, ms] = [cluster.roundTrips() - before, performance.now() - startedAt];
    await wait(ms);
    const own = cluster.roundTrips() - before - during;
    if (failures > 0) throw new Error(`${failures} requests failed: ${firstFailure}`);
    console.log(`Round trips to PostgreSQL for each ${name}: ${((during - own) / count).toFixed(2)}`);
  }
}

async function main(): Promise<void> {
  const postgres = await startPostgres();
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  try {
    const measured: Awaited<ReturnType<typeof measure>>[] = [];
    for (const setup of setups) measured.push(await measure(setup));
    const head = [
      '',
      'reads a second',
      'CPU µs',
      'writes a second',
      'CPU µs',
      'command, same node: p50 / p99 ms',
      'other node',
    ];
    console.log(
      `\n${toTextTable(
        head,
        measured.map(({ row }) => row),
      )}`,
    );
    printAim(measured.at(-1)!.commands);
    printWriteAims(measured[1]!.writes, measured.at(-1)!.writes);
    await measureRoundTrips();
  } finally {
    await postgres.stop();
  }
}

build();
await onQuietMachine(main);
