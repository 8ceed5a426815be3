/** `npm test`: checks types, starts the available services, runs every test this machine supports, lists what it skipped, and stops everything. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Requirement, requirements } from '../tests/kit/requirements.ts';
import { useMemoryFolder } from '../tests/kit/memory-folder.ts';
import { type Postgres, startPostgres } from '../tests/kit/server/postgres.ts';
import { passes } from './check.ts';

const root = join(import.meta.dirname, '..');
const launcher = join(root, 'cli/bin/drawbridge.cjs');

/** Prints which programs this machine has. The value is undefined for a missing one. */
function reportRequirements(): Record<Requirement, string | undefined> {
  const found = Object.fromEntries(Object.entries(requirements).map(([need, find]) => [need, find()]));
  const lines = Object.entries(found).map(([need, path]) => `${need} ${path ?? 'is not installed'}`);
  console.log(`\n— this machine\n${lines.join('\n')}`);
  return found as Record<Requirement, string | undefined>;
}

/** Hundreds of processes load the same sources, so they share a compile cache. */
const compileCache = join(root, 'dist/.cache');

/** Runs in its own process group, so that everything a test leaves running can be ended with it. */
function runTests(postgres: Postgres | undefined): ChildProcess {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    ...(postgres && { TEST_POSTGRES_URL: postgres.url }),
  };
  const args = [launcher, '--run', 'scripts/run-tests.ts', ...process.argv.slice(2)];
  return spawn(process.execPath, args, {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

function endGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The group is empty: the tests have ended everything they started.
  }
}

async function testAll(): Promise<number> {
  useMemoryFolder();
  const postgres = reportRequirements().PostgreSQL ? await startPostgres() : undefined;
  const child = runTests(postgres);
  const end = (): void => endGroup(child);
  // Before the folder in memory is removed, into which the tests would still write.
  process.prependOnceListener('exit', end);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    end();
    await postgres?.stop();
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
const types = ['types', 'types of the pages', 'types of the tests of pages and sessions'] as const;
process.exitCode = types.every(passes) ? await testAll() : 1;
