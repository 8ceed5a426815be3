/** Benchmark of the fleet: thousands of simulated devices on our server and on a baseline server, in one run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isFault } from '@drawbridge/contract/faults';
import { newAccount } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { openStore } from '@drawbridge/server/store/engine/open';
import { build } from '../kit/build.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { createBareContender, createOurContender, type FleetContender } from './contenders.ts';
import { measureFleet, type FleetResult } from './measure.ts';
import { fleetGoals, compareFleets, toMarkdown, toText } from './report.ts';

const { values } = parseArgs({
  options: {
    /** The larger fleet; the smaller is a tenth of it. */
    agents: { type: 'string', default: '10000' },
    /** Only `ours` or `bare`. */
    only: { type: 'string', default: '' },
    /** File for the tables, in Markdown. */
    out: { type: 'string' },
  },
});

/** Each device needs a file descriptor. Node raises its own limit as far as allowed. */
function refuseFewFiles(agents: number): void {
  const [, most] = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  if (most !== undefined && Number(most) < agents + 500)
    throw new Error(
      `${agents} devices need ${agents + 500} open files and ${most} are allowed: see ulimit -Hn.`,
    );
}

/** A data folder with an account, and with the certificate of a first start. */
async function prepare(folder: string): Promise<FleetContender[]> {
  const store = await openStore({ folder });
  const account = newAccount(random, 'fleet@example.com', 'https://localhost', store.now());
  if (isFault(await store.change('accounts/create', account.input)))
    throw new Error('The account could not be made.');
  await store.close();
  const mine = createOurContender(folder, account.apiKey);
  await (await mine.start()).end('SIGTERM');
  return [createBareContender(folder), mine];
}

async function main(): Promise<void> {
  const agents = Number(values.agents);
  refuseFewFiles(agents);
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  try {
    const contenders = (await prepare(folder)).filter(
      ({ name }) => values.only === '' || values.only === name,
    );
    const all: FleetResult[] = [];
    for (const size of [Math.ceil(agents / 10), agents])
      for (const contender of contenders)
        all.push(await measureFleet(contender, size, (line) => console.log(`${contender.name}: ${line}`)));
    const tables = [compareFleets(all), fleetGoals(all)];
    console.log(`\n${tables.map(toText).join('\n\n')}`);
    if (values.out !== undefined) writeFileSync(values.out, `${tables.map(toMarkdown).join('\n\n')}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

build();
await onQuietMachine(main);
