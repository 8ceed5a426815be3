/** Names of settings: as variables and as keys of the file, those that belong to other programs, and suggestions for mistyped ones. */
import { settingNames } from './schema.ts';
import type { SettingName } from './schema.ts';

export const prefix = 'DRAWBRIDGE_';

/** Variables with our prefix that other programs read. The server ignores them. */
export const foreignNames: readonly string[] = [
  'DRAWBRIDGE_API_KEY',
  'DRAWBRIDGE_SERVER',
  'DRAWBRIDGE_PROFILE',
  'DRAWBRIDGE_CA',
  'DRAWBRIDGE_CONFIG',
  'DRAWBRIDGE_RELEASE_KEY',
];
export const foreignPrefixes: readonly string[] = ['DRAWBRIDGE_AGENT_', 'DRAWBRIDGE_TEST_'];

export function variableOf(name: SettingName): string {
  return prefix + name.toUpperCase();
}

export function isForeign(variable: string): boolean {
  return foreignNames.includes(variable) || foreignPrefixes.some((start) => variable.startsWith(start));
}

export function isSettingName(name: string): name is SettingName {
  return (settingNames as readonly string[]).includes(name);
}

/** The setting that a mistyped name probably means: at most a third of its letters differ. */
export function nearestSetting(wrong: string): SettingName | undefined {
  const meant = wrong.toUpperCase().replaceAll('-', '_').replace(prefix, '').toLowerCase();
  const ranked = settingNames
    .map((name) => ({ name, steps: distance(meant, name) }))
    .sort((left, right) => left.steps - right.steps);
  const best = ranked[0];
  return best !== undefined && best.steps <= Math.ceil(best.name.length / 3) ? best.name : undefined;
}

/** The Levenshtein distance: how many letters must be inserted, removed or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(from.slice(0, 64)).entries()) {
    const next = [at + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const change = row[column - 1]! + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(change, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
