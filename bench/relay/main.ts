/** Benchmark of the relay: sessions of 4 Mbit/s per core, and memory per session, compared with a bare pipe of sockets. */
import { fork } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { cpuSeconds, endProcess, residentMegabytes } from '../kit/process.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { formatNumber, toTextTable } from '../kit/table.ts';
import type { HostPorts, HostSetup } from './host.ts';
import { megabits, openRelaySessions } from './sessions.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
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

/** The hosts alternate, and the best round counts, because noise only adds. */
async function carried(tls: boolean): Promise<Record<HostSetup['name'], number>> {
  await using limit = await startHost('limit');
  await using ours = await startHost('ours');
  const best = { limit: Infinity, ours: Infinity };
  for (let round = 0; round < rounds; round += 1)
    for (const name of names)
      best[name] = Math.min(best[name], await costOf(name === 'ours' ? ours : limit, tls));
  return { limit: 1 / best.limit, ours: 1 / best.ours };
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

const row = (what: string, ours: number, limit: number, unit: string): string[] => [
  what,
  `${(ours / limit).toFixed(2)} ×`,
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
        row('sessions a core carries, over TLS', secure.ours, secure.limit, ''),
        row('the same without TLS', plain.ours, plain.limit, ''),
        row(`memory of each of ${idleSessions} quiet sessions`, ours.quiet, limit.quiet, ' KiB'),
        row('the same after half a second of pictures', ours.busy, limit.busy, ' KiB'),
      ],
    ),
  );
});
