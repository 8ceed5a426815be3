/** Uploads chosen files with their folders into a folder of the device, and asks once before it replaces any. */
import type { ChosenFile } from './choose-files.ts';
import type { RemoteFiles } from './remote-files.ts';
import { joinPath } from './download-file.ts';
import type { Transfers, TransferJob } from './transfers.ts';

export interface UploadOptions {
  remote: RemoteFiles;
  transfers: Pick<Transfers, 'add'>;
  folder: string;
  chosen: readonly ChosenFile[];
  /** Asked when some files exist already; they are skipped if it resolves with false. */
  mayReplace(paths: readonly string[]): Promise<boolean>;
  /** Called when the folders are created and after each file. */
  onUploaded?(): void;
}

export async function uploadAll({
  remote,
  transfers,
  folder,
  chosen,
  mayReplace,
  onUploaded = () => {},
}: UploadOptions): Promise<void> {
  const existing = await existingPaths(remote, folder, chosen);
  const conflicts = chosen.map(({ path }) => path).filter((path) => existing.has(path));
  const isReplacing = conflicts.length > 0 && (await mayReplace(conflicts));
  const uploads = isReplacing ? chosen : chosen.filter(({ path }) => !existing.has(path));
  await createFolders(remote, folder, uploads);
  onUploaded();
  await Promise.all(
    uploads.map((one) =>
      transfers.add(uploadJob(remote, folder, one, existing.has(one.path))).then(onUploaded),
    ),
  );
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

/** Lists each target folder once and skips folders whose parent does not exist. */
async function existingPaths(
  remote: RemoteFiles,
  folder: string,
  chosen: readonly ChosenFile[],
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for (const below of ['', ...foldersOf(chosen)]) {
    if (below !== '' && !existing.has(below)) continue;
    // A folder that cannot be read may still be writable: the device refuses to replace files in it.
    const { entries } = await remote.list(joinPath(folder, below)).catch(() => ({ entries: [] }));
    for (const { name } of entries) existing.add(below === '' ? name : `${below}/${name}`);
  }
  return existing;
}

/** A folder that exists already is no error. */
async function createFolders(
  remote: RemoteFiles,
  folder: string,
  chosen: readonly ChosenFile[],
): Promise<void> {
  for (const each of foldersOf(chosen)) await remote.createFolder(joinPath(folder, each)).catch(() => {});
}

/** Returns all folders of the paths, parents first. */
function foldersOf(chosen: readonly ChosenFile[]): string[] {
  const needed = new Set(chosen.flatMap(({ path }) => parentsOf(path)));
  return [...needed].toSorted((a, b) => a.length - b.length);
}

const parentsOf = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};
