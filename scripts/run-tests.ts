/** Runs the test files, all or those named, and reports; leaves nothing running when its starter is gone. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { otherFiles } from './test-files.ts';
import { createTestReport } from './test-report.ts';

const hadStarter = process.connected;
process.on('exit', () => {
  if (hadStarter && !process.connected) process.kill(-process.pid, 'SIGKILL');
});

const root = join(import.meta.dirname, '..');
const named = process.argv.slice(2).map((file) => resolve(file));
const all = (): string[] => [...otherFiles(), join(import.meta.dirname, 'rule-tests.ts')];
const report = createTestReport(root);
const stream = run({
  files: named.length ? named : all(),
  // More than there are processors, as many wait for time to pass, or for a browser.
  concurrency: availableParallelism() + 2,
  // No file takes that long, on however busy a machine: it only ends what hangs.
  timeout: 20 * 60_000,
  cwd: root,
});
for await (const event of stream) report.take(event);
process.exitCode = report.close(process.env['DRAWBRIDGE_TEST_STRICT'] === '1') ? 0 : 1;
