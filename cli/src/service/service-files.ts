/** Writes and removes the files of the server's service, below a folder. */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { initialSettings, servicePaths, serverUnit, serverUser } from './server-unit.ts';

interface ServiceFile {
  path: string;
  text: string;
  mode: number;
  /** A file that people edit is never replaced. */
  isEdited: boolean;
}

/** `command` starts the launcher. */
export const serviceFiles = (command: readonly string[]): ServiceFile[] => [
  { path: servicePaths.user, text: serverUser, mode: 0o644, isEdited: false },
  { path: servicePaths.settings, text: initialSettings, mode: 0o640, isEdited: true },
  { path: servicePaths.unit, text: serverUnit(command), mode: 0o644, isEdited: false },
];

/** Returns the paths of the files that it wrote, or would write. */
export function writeServiceFiles(root: string, files: readonly ServiceFile[], isDry: boolean): string[] {
  const written = files.filter(({ path, isEdited }) => !isEdited || !existsSync(join(root, path)));
  for (const { path, text, mode } of isDry ? [] : written) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    chmodSync(file, mode); // also if it existed
  }
  return written.map(({ path }) => join(root, path));
}

/** Returns the paths of the files that it removed, or would remove. Settings and data stay. */
export function removeServiceFiles(root: string, isDry: boolean): string[] {
  const files = [servicePaths.unit, servicePaths.user].map((path) => join(root, path));
  const found = files.filter((file) => existsSync(file));
  for (const file of isDry ? [] : found) rmSync(file);
  return found;
}
