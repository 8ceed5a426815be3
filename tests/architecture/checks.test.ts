/** The checks of the tree find what they are for: a long function, unused code, an uncaught error, a stale table. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { withTables } from '../../scripts/architecture-tables.ts';
import { read } from './imports.ts';

const root = join(import.meta.dirname, '../..');

/** Writes a project of its own, which is removed after the test. */
function createProject(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-checks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function runTool(tool: string, cwd: string, args: string[]): { failed: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', tool), ...args],
    {
      cwd,
      encoding: 'utf8',
    },
  );
  return { failed: status !== 0, output: stdout + stderr };
}

const functionOf = (lines: number): string =>
  [
    'export function count(): number {',
    '  let sum = 0;',
    ...Array.from({ length: lines - 4 }, () => '  sum += 1;'),
    '  return sum;',
    '}\n',
  ].join('\n');

test('a function of 41 lines is refused, and one of 40 is not', (t) => {
  const folder = createProject(t, { 'src/long.ts': functionOf(41), 'src/short.ts': functionOf(40) });
  const lint = (file: string) =>
    runTool('oxlint/bin/oxlint', folder, ['-c', join(root, '.oxlintrc.json'), '--deny-warnings', file]);
  const long = lint('src/long.ts');
  const short = lint('src/short.ts');

  assert.ok(long.failed);
  assert.match(long.output, /max-lines-per-function/);
  assert.equal(short.failed, false, short.output);
});

test('a file and an export that nothing uses are found', (t) => {
  const folder = createProject(t, {
    'package.json': '{ "name": "tiny", "type": "module" }',
    'knip.json': '{ "entry": ["src/main.ts"], "project": ["src/**/*.ts"] }',
    'src/main.ts': "import { used } from './parts.ts';\nused();\n",
    'src/parts.ts': 'export const used = (): void => {};\nexport const forgotten = 1;\n',
    'src/left-over.ts': 'export const nothing = 1;\n',
  });
  const { failed, output } = runTool('knip/bin/knip.js', folder, ['--no-progress']);

  assert.ok(failed);
  assert.match(output, /left-over\.ts/);
  assert.match(output, /forgotten/);
  assert.doesNotMatch(output, /\bused\b/);
});

test('an error that nobody caught fails its file, and is shown', (t) => {
  const fileOf = (work: string): string =>
    `import { test } from 'node:test';\ntest('passes', async () => { await null; ${work}; await new Promise(setImmediate); });\n`;
  const folder = createProject(t, {
    'thrown.test.ts': fileOf(`setImmediate(() => { throw new Error('was thrown'); })`),
    'rejected.test.ts': fileOf(`void (async () => { await null; throw new Error('was rejected'); })()`),
    'fine.test.ts': fileOf('await null'),
  });
  const files = ['thrown', 'rejected', 'fine'].map((name) => join(folder, `${name}.test.ts`));
  const { NODE_TEST_CONTEXT: _context, TEST_POSTGRES_URL: _url, ...env } = process.env;
  const script = join(root, 'scripts/run-tests.ts');
  const { status, stdout } = spawnSync(process.execPath, [script, ...files], { encoding: 'utf8', env });

  assert.equal(status, 1);
  assert.match(stdout, /"Error: was thrown"/);
  assert.match(stdout, /"Error: was rejected"/);
  assert.match(stdout, /✔ .*fine\.test\.ts \(1 of 1/);
});

test('a changed table of ARCHITECTURE.md is stale', () => {
  const current = read('ARCHITECTURE.md');
  const stale = current.replace('| `sdk/src/` | nothing |', '| `sdk/src/` | `zod` |');

  assert.notEqual(stale, current);
  assert.notEqual(withTables(stale), stale);
  assert.equal(withTables(stale), current);
});
