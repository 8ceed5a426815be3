/** Benchmark of the API: cost of requests compared with a bare Node server, start time, and memory at rest. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '@drawbridge/server/store/engine/open';
import { build } from '../kit/build.ts';
import { setOnline, seedFleet, type SeededFleet } from '../kit/fleet.ts';
import { loadProgram } from '../kit/load.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { startMeasuredServer } from '../kit/server.ts';
import { measureWrites } from '../writes/measure.ts';
import { besideLists, readsBesideLists } from './beside-lists.ts';
import { hasBaseline, recordResponse, createCases, startRawServer, type BenchCase } from './cases.ts';
import { type ApiContender, measureAll, type Measurement, type RunOptions } from './measure.ts';
import { profileCase, profiledCases } from './profiles.ts';
import { apiGoals, costTable, pauseTable } from './report.ts';
import { coldStarts, idleMemory, longestPauses } from './starts.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    /** Prints where the time goes instead of measuring it. */
    profile: { type: 'boolean', default: false },
  },
});
const plan: RunOptions = { rounds: Number(values.rounds), seconds: Number(values.seconds) };

async function seed(folder: string): Promise<[SeededFleet, SeededFleet]> {
  const store = await openStore({ folder });
  const fleets: [SeededFleet, SeededFleet] = [
    await seedFleet(store, 'thousand@example.com', 1_000),
    await seedFleet(store, 'ten-thousand@example.com', 10_000),
  ];
  await store.close();
  return fleets;
}

/** Measures our server with TLS and behind a proxy that terminates TLS, and the baseline server with and without TLS. */
async function requestCosts(
  folder: string,
  fleets: [SeededFleet, SeededFleet],
  cases: readonly BenchCase[],
): Promise<Measurement[]> {
  const second = `${folder}-proxied`;
  cpSync(folder, second, { recursive: true });
  try {
    await using secure = await startMeasuredServer({ folder });
    await using proxied = await startMeasuredServer({
      folder: second,
      env: { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1' },
    });
    await setOnline(folder, fleets);
    await setOnline(second, fleets);
    const repeated = cases.filter(hasBaseline);
    const answers = await Promise.all(
      repeated.map(async (each) => [each.path, await recordResponse(each, secure)]),
    );
    const { certFile, keyFile } = secure;
    await using raw = await startRawServer({ certFile, keyFile, answers: Object.fromEntries(answers) });
    const contenders: ApiContender[] = [
      { name: 'limit', tls: true, pid: raw.pid, origin: `https://127.0.0.1:${raw.secure}`, headers: {} },
      { name: 'ours', tls: true, pid: secure.pid, origin: `https://127.0.0.1:${secure.port}`, headers: {} },
      { name: 'limit', tls: false, pid: raw.pid, origin: `http://127.0.0.1:${raw.plain}`, headers: {} },
      {
        name: 'ours',
        tls: false,
        pid: proxied.pid,
        origin: `http://127.0.0.1:${proxied.port}`,
        headers: { 'X-Forwarded-Proto': 'https' },
      },
    ];
    return await measureAll(cases, contenders, plan);
  } finally {
    rmSync(second, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  try {
    console.log(`Load by ${loadProgram}.`);
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(folder: string): Promise<void> {
  const fleets = await seed(folder);
  const all = createCases(...fleets);
  const cases = all.filter(({ name }) => name.includes(values.only));
  if (values.profile) {
    const profiled = values.only === '' ? all.filter(({ name }) => profiledCases.includes(name)) : cases;
    for (const each of profiled) console.log(`\n${await profileCase(folder, fleets, each, plan.seconds)}`);
    return;
  }
  const measured = await requestCosts(folder, fleets, cases);
  console.log(`\n${costTable(measured)}`);
  const pauses = await longestPauses(folder, fleets, cases, plan.rounds);
  console.log(`\n${pauseTable(pauses)}`);
  const besideP99Ms = besideLists.includes(values.only) ? await besideP99(folder, fleets, all) : 0;
  if (values.only !== '') return;
  const { ours, bare } = await measureWrites({ database: 'sqlite', connections: 64, ...plan });
  const starts = await coldStarts(folder, 3);
  const restSeconds = 10;
  const idle = await idleMemory(folder, restSeconds);
  const writes = { ours: ours.perSecond, bare: bare.perSecond };
  console.log(`\n${apiGoals({ measured, starts, idle, restSeconds, pauses, besideP99Ms, writes })}`);
}

async function besideP99(
  folder: string,
  fleets: [SeededFleet, SeededFleet],
  cases: readonly BenchCase[],
): Promise<number> {
  const { p99Ms, requests, lists, changes } = await readsBesideLists(folder, fleets, cases, 5);
  console.log(`\n${besideLists}: p99 ${p99Ms} ms of ${requests}, ${lists} lists, ${changes} changes.`);
  return p99Ms;
}

build();
await onQuietMachine(main);
