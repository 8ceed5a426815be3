/** The service of the server: what is written below a folder, what stays, and what is refused. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { runServiceCommand, type ServiceContext } from './run-service.ts';
import { relayUnit, servicePaths, serverUnit, serverUnitName } from './server-unit.ts';

/** A folder that stands for `/`, and commands that record what they run and print. */
function createMachine(context: TestContext, some: Partial<ServiceContext> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'drawbridge-root-'));
  context.after(() => rmSync(root, { recursive: true }));
  const [output, ran]: [string[], string[]] = [[], []];
  const run = (...words: string[]): Promise<number> =>
    runServiceCommand(['service', ...words], {
      command: ['/opt/drawbridge/node', '/opt/drawbridge/cli/bin/drawbridge.cjs'],
      isRoot: true,
      hasSystemd: true,
      run: async (program, args) => {
        ran.push([program, ...args].join(' '));
        return '';
      },
      out: (text) => void output.push(text),
      err: (text) => void output.push(text),
      ...some,
    });
  return { root, run, ran, says: () => output.join(''), at: (path: string) => join(root, path) };
}

test('below a folder the service is written and removed, and settings and data stay', async (context) => {
  const { root, run, ran, at } = createMachine(context);
  mkdirSync(at(servicePaths.data), { recursive: true });

  assert.equal(await run('install', '--root', root), 0);
  writeFileSync(at(servicePaths.settings), 'listen = "0.0.0.0:443"\n');
  assert.equal(await run('install', '--root', root), 0);
  const settings = readFileSync(at(servicePaths.settings), 'utf8');
  const { mode } = statSync(at(servicePaths.settings));
  const isInstalled = existsSync(at(servicePaths.unit));
  assert.equal(await run('uninstall', '--root', root), 0);

  assert.deepEqual([isInstalled, settings, mode & 0o777], [true, 'listen = "0.0.0.0:443"\n', 0o640]);
  const left = (['unit', 'user', 'settings', 'data'] as const).filter((name) =>
    existsSync(at(servicePaths[name])),
  );
  assert.deepEqual(left, ['settings', 'data']);
  assert.deepEqual(ran, []);
});

test('a dry run only says what would be written', async (context) => {
  const { root, run, says, at } = createMachine(context, { isRoot: false });

  assert.equal(await run('install', '--dry-run', '--root', root), 0);

  assert.match(says(), new RegExp(`^Would write ${at(servicePaths.unit)}$`, 'm'));
  assert.equal(existsSync(at('/etc')), false);
});

for (const [name, some, sentence] of [
  ['without root', { isRoot: false }, /needs root\. Use sudo/],
  ['without systemd', { hasSystemd: false }, /does not run systemd/],
] as const)
  test(`${name} the commands change nothing and say why`, async (context) => {
    for (const word of ['install', 'uninstall']) {
      const { run, ran, says } = createMachine(context, some);

      assert.equal(await run(word), 1);

      assert.match(says(), sentence);
      assert.deepEqual(ran, []);
    }
  });

test('a program in a folder that services do not see is refused', async (context) => {
  const { run, ran, says } = createMachine(context, {
    command: ['/usr/bin/node', '/home/ann/drawbridge.cjs'],
  });

  assert.equal(await run('install'), 1);

  assert.match(says(), /cannot read \/home\/ann\/drawbridge\.cjs\. Move the project/);
  assert.deepEqual(ran, []);
});

test('other words and options are refused with the usage', async (context) => {
  for (const words of [[], ['remove'], ['install', '--force']]) {
    const { run, says } = createMachine(context);

    assert.equal(await run(...words), 2);

    assert.match(says(), /service install\|uninstall|--force/);
  }
});

const checker = spawnSync('systemd-analyze', ['--version']).status === 0;

for (const [program, unit] of Object.entries({ server: serverUnit, relay: relayUnit }))
  test(
    `systemd accepts the unit of the ${program} and rates its exposure at most 2.5`,
    { skip: !checker && 'systemd-analyze is not installed' },
    (context) => {
      const { at } = createMachine(context);
      const file = at(serverUnitName);
      writeFileSync(file, unit([process.execPath, '/opt/a "b" 50%/$HOME/drawbridge.cjs']));
      const analyze = (...args: string[]) =>
        spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });

      const { status, stderr } = analyze('verify');
      const level = /exposure level for \S+: ([\d.]+)/.exec(analyze('security', '--offline=yes').stdout)?.[1];

      assert.deepEqual([status, stderr.split('\n').filter((line) => line.includes(serverUnitName))], [0, []]);
      assert.ok(Number(level) <= 2.5, `the exposure is ${level}`);
    },
  );
