/** Names in an archive that lead nowhere, on whatever system it is unpacked; no two are the same. */
import { safeName } from '../../../ui/save.ts';

/** What a file may be called at most, in bytes. */
const longest = 255;
/** Windows takes these for devices, whatever follows a dot. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)(\.|$)/i;
/** Signs that turn the direction of writing: `fdp.exe` would pass for a document. */
const turns = /[\u202a-\u202e\u2066-\u2069]/g;

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
      const path = `${folder}${folder && '/'}${plain(name)}`;
      const count = take(path);
      if (count === 1) return path;
      const other = `${path} (${count})`;
      return take(other) === 1 ? other : `${other}-${crypto.randomUUID()}`;
    },
  };
}

function plain(name: string): string {
  const safe = cut(safeName(name).replace(turns, '_')).replace(/[. ]+$/, (end) => '_'.repeat(end.length));
  return device.test(safe) ? `_${safe}`.slice(0, longest) : safe;
}

/** At the end of a character. */
function cut(name: string): string {
  const bytes = new TextEncoder().encode(name);
  return bytes.length <= longest
    ? name
    : new TextDecoder().decode(bytes.subarray(0, longest)).replace(/\ufffd+$/, '');
}
