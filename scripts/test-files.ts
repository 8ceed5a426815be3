/** Finds the test files, and separates those of rules from the others. */
import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Tests of rules without I/O cannot disturb each other, so their files share a process. That saves one process start per file. */
const isRule = (file: string): boolean => /^(contract|server\/src\/domain)\//.test(file);

function find(): string[] {
  const everywhere = '{tests,agent,bench,cli,relay,server,sdk,contract,session}/**/*.test.ts';
  return globSync(everywhere, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).toSorted();
}

const absolute = (file: string): string => join(root, file);

export const ruleFiles = (): string[] => find().filter(isRule).map(absolute);

/** The long files in tests/ come first; the short files then fill the gaps. */
export function otherFiles(): string[] {
  const { long = [], short = [] } = Object.groupBy(
    find().filter((file) => !isRule(file)),
    (file) => (file.startsWith('tests/') ? 'long' : 'short'),
  );
  return [...long, ...short].map(absolute);
}
