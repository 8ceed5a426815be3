/** Checks the whole tree: types, lint, format, unused code. Runs every step; the exit code tells whether all passed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const tool = (path: string): string => join(root, 'node_modules', path);

const steps = {
  types: [tool('typescript/bin/tsc'), '-p', '.'],
  'types of the pages': [tool('typescript/bin/tsc'), '-p', 'web'],
  'types of the tests of pages and sessions': [tool('typescript/bin/tsc'), '-p', 'tests/programs'],
  lint: [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
  format: [tool('oxfmt/bin/oxfmt'), '--check'],
  'unused code': [tool('knip/bin/knip.js'), '--no-progress'],
};

/** Runs a step and returns true if it passed. */
export function passes(step: keyof typeof steps): boolean {
  console.log(`\n— ${step}`);
  return spawnSync(process.execPath, steps[step], { cwd: root, stdio: 'inherit' }).status === 0;
}

if (import.meta.main) {
  const failed = (Object.keys(steps) as (keyof typeof steps)[]).filter((step) => !passes(step));
  console.log(
    failed.length
      ? `\nFailed: ${failed.join(', ')}`
      : '\nTypes, lint and format are correct, and no code is unused.',
  );
  process.exitCode = failed.length ? 1 : 0;
}
