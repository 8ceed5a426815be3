/** Finds folders that hold too many files, and lists those that may. */
import { dirname } from 'node:path';

export const maxFiles = 25;

/** Folders that grow by one file per entry, with the reason why groups would not help a reader. */
export const longFolders: Readonly<Record<string, string>> = {
  'docs/decisions': 'one record per decision, found by its number',
  'docs/pictures/panel': 'one picture per page, written by `npm run screenshots`',
  'server/src/store/engine/migrations': 'one file per migration, numbered and only ever appended',
};

/** Folders with more than `maxFiles` of these files directly inside, and how many they hold. */
export function crowdedFolders(files: readonly string[]): Record<string, number> {
  const folders = Object.entries(Object.groupBy(files, (file) => dirname(file)));
  const counts = folders.map(([folder, inside = []]) => [folder, inside.length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > maxFiles));
}
