/** `npm run faults`: long faults of several nodes and of what they depend on, with figures; all of them, or those that are named. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../kit/server/postgres.ts';
import { diskFaults } from './disk-faults.ts';
import { nodeFaults } from './node-faults.ts';
import { restartFaults } from './restart-faults.ts';
import type { Figure, Scenario } from './scenario.ts';
import { serviceFaults } from './service-faults.ts';
import { sessionFaults } from './session-faults.ts';

const scenarios: Record<string, Scenario> = {
  ...nodeFaults,
  ...serviceFaults,
  ...restartFaults,
  ...diskFaults,
  ...sessionFaults,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { devices: { type: 'string', default: '3000' } },
});

function print({ name, value, aim, reached }: Figure): void {
  const verdict = aim === undefined ? '' : ` (aim ${aim}: ${reached ? 'reached' : 'MISSED'})`;
  console.log(`  ${name}: ${value}${verdict}`);
}

/** Whether it reached all its aims. */
async function passes(name: string): Promise<boolean> {
  console.log(`\n${name} (load average ${loadavg()[0]!.toFixed(1)})`);
  try {
    const figures = await scenarios[name]!({ devices: Number(values.devices) });
    figures.forEach(print);
    return figures.every(({ reached }) => reached !== false);
  } catch (error) {
    console.log(`  FAILED: ${String(error)}`);
    return false;
  }
}

async function runScenarios(names: readonly string[]): Promise<number> {
  const postgres = await startPostgres();
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  const missed: string[] = [];
  try {
    for (const name of names) if (!(await passes(name))) missed.push(name);
  } finally {
    await postgres.stop();
  }
  console.log(
    `\n${names.length - missed.length} of ${names.length} reached all aims; the others: ${missed.join(', ') || 'none'}`,
  );
  return missed.length > 0 ? 1 : 0;
}

const names = positionals.length > 0 ? positionals : Object.keys(scenarios);
const unknown = names.filter((name) => !(name in scenarios));
if (unknown.length > 0)
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(scenarios).join(', ')}`);
process.exitCode = unknown.length > 0 ? 2 : await runScenarios(names);
