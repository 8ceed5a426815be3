/** Names in an archive that lead nowhere, on whatever system it is unpacked; no two are the same. */
import { safeName } from '../../../ui/save.ts';

export interface ArchiveNames {
  /** Where an entry of this name goes that lies in that folder of the archive. */
  below(folder: string, name: string): string;
}

export function createArchiveNames(): ArchiveNames {
  const given = new Map<string, number>();
  const take = (path: string): number => {
    const count = (given.get(path) ?? 0) + 1;
    given.set(path, count);
    return count;
  };
  return {
    below(folder, name) {
      const path = `${folder}${folder && '/'}${safeName(name)}`;
      const count = take(path);
      if (count === 1) return path;
      const other = `${path} (${count})`;
      return take(other) === 1 ? other : `${other}-${crypto.randomUUID()}`;
    },
  };
}
