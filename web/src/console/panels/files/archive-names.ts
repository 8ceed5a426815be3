/** Creates entry names for an archive that are unique and stay below its top folder on every system. */
import { safeName } from '../../../ui/save-file.ts';

/** The limit of common file systems. */
const maxNameBytes = 255;

export interface ArchiveNames {
  /** Returns the archive path of an entry in the given archive folder. */
  below(folder: string, name: string): string;
}

export function createArchiveNames(): ArchiveNames {
  const given = new Map<string, number>();
  const take = (path: string): number => {
    // Some file systems are case-insensitive.
    const key = path.toLowerCase();
    const count = (given.get(key) ?? 0) + 1;
    given.set(key, count);
    return count;
  };
  return {
    below(folder, name) {
      const path = `${folder}${folder && '/'}${safeName(name, maxNameBytes)}`;
      const count = take(path);
      if (count === 1) return path;
      const other = `${path} (${count})`;
      return take(other) === 1 ? other : `${other}-${crypto.randomUUID()}`;
    },
  };
}
