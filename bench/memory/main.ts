/** Long run: the memory of a server over a million requests and over ten thousand sessions. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '@drawbridge/server/store/engine/open';
import { createCases, toLoadTarget, type BenchCase } from '../api/cases.ts';
import { build } from '../kit/build.ts';
import { seedFleet, type SeededFleet } from '../kit/fleet.ts';
import { runLoad } from '../kit/load.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { startMeasuredServer, type MeasuredServer } from '../kit/server.ts';
import {
  memoryAims,
  readMemory,
  readTenths,
  toMemoryTable,
  describeMemory,
  type MemoryRun,
} from './readings.ts';
import { startSessions } from './sessions.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    sessions: { type: 'string', default: '10000' },
    /** Seconds before the first and after the last reading. */
    rest: { type: 'string', default: '60' },
  },
});
const restMs = Number(values.rest) * 1_000;
const sessionsAtOnce = 4;

/** Reads, lists of 1,000 devices and durable writes, in turns of two seconds. */
function requestsOf(server: MeasuredServer, fleet: SeededFleet): (upTo: number) => Promise<number> {
  const mix = ['agents/info', 'groups/list', 'agents/list of 1,000', 'support/create (durable)'];
  const cases = createCases(fleet, fleet).filter(({ name }) => mix.includes(name));
  const under = { pid: server.pid, origin: `https://127.0.0.1:${server.port}`, headers: {} };
  const send = async (each: BenchCase): Promise<number> => {
    const { requests, failures } = await runLoad(toLoadTarget(each, under), { ...each, seconds: 2 });
    if (failures > 0) console.log(`${each.name}: ${failures} failures`);
    return requests;
  };
  let [turn, done] = [0, 0];
  return async (upTo) => {
    for (; done < upTo; turn += 1) done += await send(cases[turn % cases.length]!);
    return done;
  };
}

/** Several at a time, because a session waits for messages most of the time. */
function sessionsOf(openAndClose: () => Promise<void>): (upTo: number) => Promise<number> {
  let [begun, done] = [0, 0];
  return async (upTo) => {
    const repeat = async (): Promise<void> => {
      while (begun < upTo) {
        begun += 1;
        await openAndClose();
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: sessionsAtOnce }, repeat));
    return done;
  };
}

async function measure(
  name: string,
  server: MeasuredServer,
  total: number,
  work: (upTo: number) => Promise<number>,
): Promise<MemoryRun> {
  await wait(restMs);
  const rest = readMemory(server.pid, 0);
  console.log(`${name}, at rest: ${describeMemory(rest)}`);
  const readings = await readTenths(server.pid, total, work);
  await wait(restMs);
  const after = readMemory(server.pid, total);
  console.log(`${name}, afterwards: ${describeMemory(after)}`);
  const heap = await server.heap();
  console.log(`${name}, spaces of the heap after a collection, MB: ${heap.spaces}`);
  return { name, rest, readings, after, ...heap };
}

async function run(folder: string, fleet: SeededFleet): Promise<void> {
  await using server = await startMeasuredServer({ folder, watch: 'heap' });
  const [requests, sessions] = [Number(values.requests), Number(values.sessions)];
  const runs: MemoryRun[] = [];
  if (requests > 0) runs.push(await measure('requests', server, requests, requestsOf(server, fleet)));
  if (sessions > 0) {
    await using load = await startSessions(server, fleet.apiKey);
    runs.push(await measure('sessions', server, sessions, sessionsOf(load.openAndClose)));
  }
  console.log(`\n${toMemoryTable(runs)}\n\n${memoryAims(runs)}`);
}

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
try {
  build();
  const store = await openStore({ folder });
  const fleet = await seedFleet(store, 'thousand@example.com', 1_000);
  await store.close();
  await onQuietMachine(() => run(folder, fleet));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
