/** Brings chosen files with their folders into one folder of the device, and asks once before it replaces anything. */
import type { ChosenFile } from './choose-files.ts';
import type { RemoteFiles } from './remote-files.ts';
import { joinPath } from './download-file.ts';
import type { Transfers, TransferJob } from './transfers.ts';

export interface UploadOptions {
  remote: RemoteFiles;
  transfers: Pick<Transfers, 'add'>;
  folder: string;
  chosen: readonly ChosenFile[];
  /** Asked when some are there already; without leave they are left out. */
  mayReplace(paths: readonly string[]): Promise<boolean>;
}

export async function uploadAll({
  remote,
  transfers,
  folder,
  chosen,
  mayReplace,
}: UploadOptions): Promise<void> {
  const there = await pathsThere(remote, folder, chosen);
  const taken = chosen.map(({ path }) => path).filter((path) => there.has(path));
  const isReplacing = taken.length > 0 && (await mayReplace(taken));
  const uploads = isReplacing ? chosen : chosen.filter(({ path }) => !there.has(path));
  await makeFolders(remote, folder, uploads);
  await Promise.all(uploads.map((one) => transfers.add(uploadJob(remote, folder, one, there.has(one.path)))));
}

const uploadJob = (
  remote: RemoteFiles,
  folder: string,
  { path, file }: ChosenFile,
  replace: boolean,
): TransferJob => ({
  name: path,
  direction: 'upload',
  run(report, signal) {
    report.size(file.size);
    const time = Math.floor(file.lastModified / 1_000);
    const target = joinPath(folder, path);
    return remote.upload({ path: target, content: file, time, replace, onProgress: report.at }, signal);
  },
});

/** What is there in the folders they come to; each is listed once, and none below one that is not there. */
async function pathsThere(
  remote: RemoteFiles,
  folder: string,
  chosen: readonly ChosenFile[],
): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const below of ['', ...foldersOf(chosen)]) {
    if (below !== '' && !there.has(below)) continue;
    // One that can not be read may be written to: the device refuses what it would have to replace.
    const { entries } = await remote.list(joinPath(folder, below)).catch(() => ({ entries: [] }));
    for (const { name } of entries) there.add(below === '' ? name : `${below}/${name}`);
  }
  return there;
}

/** One that is there already is fine. */
async function makeFolders(
  remote: RemoteFiles,
  folder: string,
  chosen: readonly ChosenFile[],
): Promise<void> {
  for (const each of foldersOf(chosen)) await remote.createFolder(joinPath(folder, each)).catch(() => {});
}

/** From the outermost to the innermost. */
function foldersOf(chosen: readonly ChosenFile[]): string[] {
  const needed = new Set(chosen.flatMap(({ path }) => above(path)));
  return [...needed].toSorted((a, b) => a.length - b.length);
}

const above = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};
