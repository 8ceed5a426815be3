/** Benchmark of the relay: sessions of 4 Mbit/s per core, and memory per session, compared with a bare pipe of sockets. */
import { fork } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { cpuSeconds, endProcess, residentMegabytes } from '../kit/process.ts';
import { aimsTable } from '../kit/aims.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { formatNumber, toTextTable } from '../kit/table.ts';
import type { HostPorts, HostSetup } from './host.ts';
import { megabits, openRelaySessions } from './sessions.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '2' },
    sessions: { type: 'string', default: '25' },
  },
});
const [rounds, seconds, sessions] = [values.rounds, values.seconds, values.sessions].map(Number) as [
  number,
  number,
  number,
];
const idleSessions = 200;
const names = ['limit', 'ours'] as const;
const server = generateKeyPairSync('ed25519');
const serverKey = server.publicKey.export({ format: 'jwk' }).x!;
const pair = await createSelfSigned(['localhost'], new Date());

async function startHost(name: HostSetup['name']) {
  const child = fork(join(import.meta.dirname, 'host.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send({ name, serverKey, ...pair } satisfies HostSetup);
  const [ports] = (await once(child, 'message')) as [HostPorts];
  const where = (tls: boolean) => ({
    name,
    key: server.privateKey,
    origin: tls ? `wss://127.0.0.1:${ports.secure}` : `ws://127.0.0.1:${ports.plain}`,
  });
  return { pid: child.pid!, where, [Symbol.asyncDispose]: () => endProcess(child) };
}

type Host = Awaited<ReturnType<typeof startHost>>;

/** CPU seconds per second of a session. */
async function costOf(host: Host, tls: boolean): Promise<number> {
  await using open = await openRelaySessions(host.where(tls), sessions);
  await open.run(0.5);
  const before = cpuSeconds(host.pid);
  const bytes = await open.run(seconds);
  return (cpuSeconds(host.pid) - before) / ((bytes * 8) / (megabits * 1_000_000));
}

const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1]!;

interface Carried {
  /** Sessions that a core carries. */
  ours: number;
  limit: number;
  ratio: number;
}

/**
 * The hosts alternate, and each round compares the two measurements that were made next to each other: other work of the
 * machine affects both, and the median leaves out rounds in which it affected one.
 */
async function carried(tls: boolean): Promise<Carried> {
  await using limit = await startHost('limit');
  await using ours = await startHost('ours');
  const costs: Record<HostSetup['name'], number[]> = { limit: [], ours: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      costs[name].push(await costOf(name === 'ours' ? ours : limit, tls));
  const ratios = costs.limit.map((cost, round) => cost / costs.ours[round]!);
  return { ours: 1 / medianOf(costs.ours), limit: 1 / medianOf(costs.limit), ratio: medianOf(ratios) };
}

/** Kilobytes that a session adds to its host process: idle, and directly after screen updates. */
async function memoryOf(name: HostSetup['name']): Promise<{ quiet: number; busy: number }> {
  await using host = await startHost(name);
  // The first sessions load code and grow the heap that all share.
  await (await openRelaySessions(host.where(true), 20))[Symbol.asyncDispose]();
  await wait(500);
  const empty = residentMegabytes(host.pid);
  await using open = await openRelaySessions(host.where(true), idleSessions);
  await wait(500);
  const quiet = residentMegabytes(host.pid);
  await open.run(0.5);
  const each = (megabytes: number): number => (megabytes * 1_024) / idleSessions;
  return { quiet: each(quiet - empty), busy: each(residentMegabytes(host.pid) - empty) };
}

const row = (
  what: string,
  { ours, limit, ratio = ours / limit }: Omit<Carried, 'ratio'> & Partial<Carried>,
  unit: string,
): string[] => [
  what,
  `${ratio.toFixed(2)} ×`,
  `${formatNumber(ours)}${unit}`,
  `${formatNumber(limit)}${unit}`,
];

await onQuietMachine(async () => {
  console.log(`${sessions} sessions of ${megabits} Mbit/s, ${rounds} rounds of ${seconds} s.\n`);
  const [secure, plain] = [await carried(true), await carried(false)];
  const [ours, limit] = [await memoryOf('ours'), await memoryOf('limit')];
  console.log(
    toTextTable(
      ['', 'ours / limit', 'ours', 'limit'],
      [
        row('sessions a core carries, over TLS', secure, ''),
        row('the same without TLS', plain, ''),
        row(
          `memory of each of ${idleSessions} quiet sessions`,
          { ours: ours.quiet, limit: limit.quiet },
          ' KiB',
        ),
        row('the same after half a second of pictures', { ours: ours.busy, limit: limit.busy }, ' KiB'),
      ],
    ),
  );
  const what = 'sessions a core carries over TLS, beside the limit';
  console.log(`\n${aimsTable([{ what, is: 'at least', aim: 0.9, reached: secure.ratio, unit: '×' }])}`);
});
