/** `npm run test:random`: runs all randomised tests, or the given ones, in several rounds, each with a new seed that is printed. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { otherFiles, ruleFiles } from './test-files.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string' } },
});

const isRandom = (file: string): boolean => readFileSync(file, 'utf8').includes('kit/random.ts');
const random = [...otherFiles(), ...ruleFiles()].filter(isRandom).map((file) => relative(root, file));
const files = positionals.length > 0 ? positionals : random;

/** More than in a run of the whole suite. */
const larger = { DRAWBRIDGE_TEST_ORGANISATIONS: '10000' };

function passes(seed: number): boolean {
  console.log(`\n— DRAWBRIDGE_TEST_SEED=${seed} npm test ${files.join(' ')}`);
  const env = { ...larger, ...process.env, DRAWBRIDGE_TEST_SEED: String(seed) };
  const { status } = spawnSync('npm', ['test', ...files], { cwd: root, env, stdio: 'inherit' });
  return status === 0;
}

const seeds =
  values.seed === undefined
    ? Array.from({ length: Number(values.rounds) }, () => randomInt(2 ** 31))
    : [Number(values.seed)];
const failed = seeds.filter((seed) => !passes(seed));
console.log(`\n${seeds.length} rounds; seeds that failed: ${failed.join(', ') || 'none'}`);
process.exitCode = failed.length > 0 ? 1 : 0;
