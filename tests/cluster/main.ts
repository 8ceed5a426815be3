/** `npm run test:cluster`: runs the conformance suite and the journeys, or the given files of them, with three servers behind haproxy in place of one. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findHaproxy, findNats, findPostgresPrograms } from '../kit/requirements.ts';
import { ensureAgent } from '../../scripts/build-agent.ts';
import { otherFiles } from '../../scripts/test-files.ts';

const root = join(import.meta.dirname, '../..');

const needed = { haproxy: findHaproxy, 'nats-server': findNats, PostgreSQL: findPostgresPrograms };
const missing = Object.entries(needed).flatMap(([name, find]) => (find() ? [] : [name]));

/** Files that cannot have three servers in place of one. */
const reasons: readonly [reason: string, pattern: RegExp][] = [
  ['it starts the program itself', /startServerProcess\(/],
  ['it has a proxy of its own', /openTlsProxy\(/],
  ['it fills the database with SQL of SQLite', /fillLargeAccount\(/],
];
const reasonOf = (file: string): string | undefined => {
  const text = readFileSync(file, 'utf8');
  return reasons.find(([, pattern]) => pattern.test(text))?.[0];
};
const all = otherFiles().filter((file) => /^tests\/(conformance|journeys)\//.test(relative(root, file)));
const chosen = all.filter((file) => reasonOf(file) === undefined);

/** A test would build them within its own time limit, and the video library alone takes minutes. */
async function buildAgentFor(files: readonly string[]): Promise<void> {
  const usesWindows = (file: string): boolean =>
    file.endsWith('.ts') &&
    /\b(openWindowsDesktop|buildWindowsFile)\(/.test(readFileSync(resolve(root, file), 'utf8'));
  if (files.some(usesWindows)) await ensureAgent({ mayFetch: true });
}

async function runAll(): Promise<number> {
  const named = process.argv.slice(2);
  if (named.length === 0)
    for (const file of all.filter((each) => !chosen.includes(each)))
      console.log(`Not run, because ${reasonOf(file)}: ${relative(root, file)}`);
  const files = named.length > 0 ? named : chosen.map((file) => relative(root, file));
  await buildAgentFor(files);
  const env = { ...process.env, DRAWBRIDGE_TEST_CLUSTER: '1' };
  return spawnSync('npm', ['test', ...files], { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

if (missing.length > 0) console.error(`Not installed: ${missing.join(', ')}. Run scripts/test-machine.`);
process.exitCode = missing.length > 0 ? 1 : await runAll();
