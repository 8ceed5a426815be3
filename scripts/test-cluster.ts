/** `npm run test:cluster`: runs the conformance suite and the journeys, or the given files of them, with three servers behind haproxy in place of one. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findHaproxy, findNats, findPostgresPrograms } from '../tests/kit/requirements.ts';
import { otherFiles } from './test-files.ts';

const root = join(import.meta.dirname, '..');

const needed = { haproxy: findHaproxy, 'nats-server': findNats, PostgreSQL: findPostgresPrograms };
const missing = Object.entries(needed).flatMap(([name, find]) => (find() ? [] : [name]));

/** Journeys that start the server's program themselves have one server, whatever this run asks for. */
const startsOwnServer = (file: string): boolean => readFileSync(file, 'utf8').includes('startServerProcess(');
const all = otherFiles().filter((file) => /^tests\/(conformance|journeys)\//.test(relative(root, file)));
const [left, chosen] = [all.filter(startsOwnServer), all.filter((file) => !startsOwnServer(file))];

function runAll(): number {
  const named = process.argv.slice(2);
  if (named.length === 0)
    for (const file of left)
      console.log(`Not run, because it starts its own server: ${relative(root, file)}`);
  const files = named.length > 0 ? named : chosen.map((file) => relative(root, file));
  const env = { ...process.env, DRAWBRIDGE_TEST_CLUSTER: '1' };
  return spawnSync('npm', ['test', ...files], { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

if (missing.length > 0) console.error(`Not installed: ${missing.join(', ')}. Run scripts/test-machine.`);
process.exitCode = missing.length > 0 ? 1 : runAll();
