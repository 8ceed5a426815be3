/** Files in the agent's folder by which an agent that was killed tells the next one what it left behind. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, toNamespacedPath } from 'node:path';
import { agentFolder } from '../../folder.ts';

export interface MarkFile {
  exists(): boolean;
  read(): string;
  write(text: string): void;
  clear(): void;
}

/** The topmost folder that was created for a mark, on Windows with the prefix of long paths: a program that keeps nothing on disk leaves no folder either. */
let created: string | undefined;

export function createMarkFile(name: string): MarkFile {
  const path = (): string => join(agentFolder(), name);
  return {
    exists: () => existsSync(path()),
    read: () => readFileSync(path(), 'utf8'),
    write(text) {
      const first = mkdirSync(agentFolder(), { recursive: true, mode: 0o700 });
      created ??= first;
      writeFileSync(path(), text, { mode: 0o600 });
    },
    clear() {
      rmSync(path(), { force: true });
      removeCreatedFolders();
    },
  };
}

function removeCreatedFolders(): void {
  for (let folder = agentFolder(); created !== undefined; folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return; // something else is in it
    }
    if (toNamespacedPath(folder) === toNamespacedPath(created)) created = undefined;
  }
}
