/** Runs all test files, or the given ones, and prints a report. Leaves no process running if its parent ends. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { prepareMigratedDatabases } from '../tests/kit/server/migrated-databases.ts';
import { ensureAgent } from './build-agent.ts';
import { bundlePackages } from './bundle-packages.ts';
import { otherFiles } from './test-files.ts';
import { createTestReport } from './test-report.ts';

const hadParent = process.connected;
process.on('exit', () => {
  if (hadParent && !process.connected) process.kill(-process.pid, 'SIGKILL');
});

const root = join(import.meta.dirname, '..');
const named = process.argv.slice(2).map((file) => resolve(file));
const all = (): string[] => [...otherFiles(), join(import.meta.dirname, 'rule-tests.ts')];
const report = createTestReport(root);
// The agent is built once for all tests that need it, instead of in each of their processes.
const agent = named.length === 0 && ensureAgent({ mayFetch: true });
await Promise.all([bundlePackages(), prepareMigratedDatabases(), agent]);
const preload = ['test-deadline.ts', 'bundled-packages.ts'].map((name) => join(import.meta.dirname, name));
const stream = run({
  files: named.length ? named : all(),
  // More than there are processors, because many tests wait for a timer or a browser.
  concurrency: availableParallelism() + 2,
  // No test takes that long even on a busy machine. A test that hangs fails by it, and its file ends by its own deadline.
  timeout: Number(process.env['DRAWBRIDGE_TEST_MINUTES'] ?? 8) * 60_000,
  execArgv: preload.flatMap((file) => ['--import', file]),
  cwd: root,
});
for await (const event of stream) report.take(event);
process.exitCode = report.close(process.env['DRAWBRIDGE_TEST_STRICT'] === '1') ? 0 : 1;
