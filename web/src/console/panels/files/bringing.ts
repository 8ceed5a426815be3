/** Brings chosen files with their folders into one folder of the device, and asks once before it replaces anything. */
import type { Chosen } from './choosing.ts';
import type { Remote } from './remote.ts';
import { join } from './saving.ts';
import type { Transfers, Work } from './transfers.ts';

export interface Bringings {
  remote: Remote;
  transfers: Pick<Transfers, 'add'>;
  folder: string;
  chosen: readonly Chosen[];
  /** Asked when some are there already; without leave they are left out. */
  mayReplace(paths: readonly string[]): Promise<boolean>;
}

export async function bringAll({ remote, transfers, folder, chosen, mayReplace }: Bringings): Promise<void> {
  const there = await pathsThere(remote, folder, chosen);
  const taken = chosen.map(({ path }) => path).filter((path) => there.has(path));
  const isReplacing = taken.length > 0 && (await mayReplace(taken));
  const brought = isReplacing ? chosen : chosen.filter(({ path }) => !there.has(path));
  await makeFolders(remote, folder, brought);
  await Promise.all(brought.map((one) => transfers.add(bringing(remote, folder, one, there.has(one.path)))));
}

const bringing = (remote: Remote, folder: string, { path, file }: Chosen, replace: boolean): Work => ({
  name: path,
  direction: 'bring',
  run(report, signal) {
    report.size(file.size);
    const time = Math.floor(file.lastModified / 1_000);
    const target = join(folder, path);
    return remote.bring({ path: target, content: file, time, replace, onProgress: report.at }, signal);
  },
});

/** What is there in the folders they come to; each is listed once, and none below one that is not there. */
async function pathsThere(
  remote: Remote,
  folder: string,
  chosen: readonly Chosen[],
): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const below of ['', ...foldersOf(chosen)]) {
    if (below !== '' && !there.has(below)) continue;
    // One that can not be read may be written to: the device refuses what it would have to replace.
    const { entries } = await remote.list(join(folder, below)).catch(() => ({ entries: [] }));
    for (const { name } of entries) there.add(below === '' ? name : `${below}/${name}`);
  }
  return there;
}

/** One that is there already is fine. */
async function makeFolders(remote: Remote, folder: string, chosen: readonly Chosen[]): Promise<void> {
  for (const each of foldersOf(chosen)) await remote.folder(join(folder, each)).catch(() => {});
}

/** From the outermost to the innermost. */
function foldersOf(chosen: readonly Chosen[]): string[] {
  const needed = new Set(chosen.flatMap(({ path }) => above(path)));
  return [...needed].toSorted((a, b) => a.length - b.length);
}

const above = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};
