/** Finds the test files, and tells the rules' from the others'. */
import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Rules without I/O can not disturb one another: their files share a process, which saves the start of one for each. */
const isRule = (file: string): boolean => /^(contract|server\/src\/domain)\//.test(file);

function find(): string[] {
  const everywhere = '{tests,agent,cli,relay,server,sdk,contract,session}/**/*.test.ts';
  return globSync(everywhere, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).toSorted();
}

const absolute = (file: string): string => join(root, file);

export const ruleFiles = (): string[] => find().filter(isRule).map(absolute);

/** The long stories of tests/ come first: the short files then fill the gaps. */
export function otherFiles(): string[] {
  const { stories = [], others = [] } = Object.groupBy(
    find().filter((file) => !isRule(file)),
    (file) => (file.startsWith('tests/') ? 'stories' : 'others'),
  );
  return [...stories, ...others].map(absolute);
}
