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

/** The longest files of a whole run, as its report lists them. */
const longest = [
  'tests/programs/agent/gnome.test.ts',
  'tests/conformance/rights.test.ts',
  'tests/journeys/panel/dialogs.test.ts',
  'tests/journeys/panel/walk.test.ts',
  'tests/suites/store/store-postgres.test.ts',
  'tests/journeys/sessions/files-clipboard-chat.test.ts',
  'tests/faults/kill.test.ts',
  'tests/parsing/cost.test.ts',
  'tests/devices/updates/live-update.test.ts',
  'tests/conformance/refusals.test.ts',
  'tests/journeys/panel/large-account.test.ts',
  'tests/journeys/sessions/screen-film.test.ts',
  'tests/journeys/panel/firefox.test.ts',
  'tests/programs/admin/backup.test.ts',
  'tests/suites/store/store.test.ts',
  'tests/model/escalation.test.ts',
  'tests/journeys/sessions/windows.test.ts',
  'tests/journeys/sessions/join-browser.test.ts',
  'tests/devices/installation/windows.test.ts',
  'tests/suites/lists/kept-lists.test.ts',
  'tests/suites/store/engine/migrations.test.ts',
  'tests/programs/web/console/phone.test.ts',
  'tests/programs/admin/running-server.test.ts',
  'tests/programs/web/console/console.test.ts',
  'tests/journeys/sessions/join-moments.test.ts',
];

/** The long files come first, so that none of them runs alone at the end; the short ones outside tests/ then fill the gaps. */
export function otherFiles(): string[] {
  const rankOf = (file: string): number => {
    const place = longest.indexOf(file);
    if (place >= 0) return place;
    return file.startsWith('tests/') ? longest.length : longest.length + 1;
  };
  const files = find().filter((file) => !isRule(file));
  return files.toSorted((a, b) => rankOf(a) - rankOf(b)).map(absolute);
}
