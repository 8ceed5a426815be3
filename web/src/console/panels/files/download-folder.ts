/** Downloads a folder as one archive, without the entries that the device cannot read. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import { downloadZip } from 'client-zip';
import { saveFile } from '../../../ui/save-file.ts';
import { consolePanelTexts } from '../texts.ts';
import { createArchiveNames } from './archive-names.ts';
import type { Listing, RemoteFiles } from './remote-files.ts';
import { collectBlob, joinPath } from './download-file.ts';
import { isFileError } from './file-exchange.ts';
import type { TransferJob } from './transfers.ts';

const { files: texts } = consolePanelTexts;

export const downloadFolderJob = (
  remote: RemoteFiles,
  folder: string,
  { name }: Pick<FileEntry, 'name'>,
): TransferJob => ({
  name: `${name}.zip`,
  direction: 'download',
  async run(report, signal) {
    const leftOut: string[] = [];
    const archive = downloadZip(
      filesBelow(remote, { path: joinPath(folder, name), as: name }, { leftOut, at: report.at, signal }),
    );
    saveFile(await collectBlob(chunksOf(archive), () => {}), `${name}.zip`);
    return leftOut.length > 0 ? texts.leftOut(leftOut) : undefined;
  },
});

/** Limits of one archive, because a hostile device can report folders and files without end. */
export const maxEntries = 100_000;
const maxDepth = 100;

export interface ArchiveEntry {
  path: string;
  as: string;
}

export interface FolderDownloadOptions {
  /** The names of skipped entries are added here. */
  leftOut: string[];
  at(bytes: number): void;
  signal: AbortSignal;
}

interface Folder extends ArchiveEntry {
  depth: number;
  listing?: Listing;
}

/** Yields every file below a folder. Links are skipped, because they may form cycles. */
export async function* filesBelow(
  remote: RemoteFiles,
  top: ArchiveEntry,
  { leftOut, at, signal }: FolderDownloadOptions,
) {
  const names = createArchiveNames();
  const todo: Folder[] = [
    { path: top.path, as: names.below('', top.as), depth: 1, listing: await remote.list(top.path) },
  ];
  let [downloaded, left] = [0, maxEntries];
  for (let next = todo.pop(); next; next = todo.pop()) {
    signal.throwIfAborted();
    const listing = next.listing ?? (await unlessRefused(remote.list(next.path)));
    if (!listing) leftOut.push(next.as);
    const { entries, total } = listing ?? { entries: [], total: 0 };
    if (total > entries.length) leftOut.push(texts.othersIn(next.as, total - entries.length));
    if (entries.length === 0) yield { name: `${next.as}/` };
    for (const entry of entries) {
      if (entry.kind !== 'folder' && entry.kind !== 'file') continue;
      if ((left -= 1) < 0) return void leftOut.push(texts.beyond(maxEntries));
      const path = joinPath(next.path, entry.name);
      const below = { path, as: names.below(next.as, entry.name), depth: next.depth + 1 };
      if (entry.kind === 'folder') {
        if (below.depth > maxDepth) leftOut.push(below.as);
        else todo.push(below);
        continue;
      }
      const before = downloaded;
      const file = await downloadWhole(
        remote,
        below.path,
        (bytes) => at((downloaded = before + bytes)),
        signal,
      );
      if (file) yield { name: below.as, lastModified: new Date(file.time * 1_000), input: file.content };
      else leftOut.push(below.as);
    }
  }
}

/** Downloads the complete file first, because a failed entry could not be removed from the archive. */
const downloadWhole = (
  remote: RemoteFiles,
  path: string,
  at: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ time: number; content: Blob } | undefined> =>
  unlessRefused(
    remote.download(path, signal).then(async ({ time, content }) => ({
      time,
      content: await collectBlob(content, at),
    })),
  );

/** A refusal of the device skips one entry; the end of the session ends the download. */
const unlessRefused = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error: unknown) => {
    if (isFileError(error, 'device_refused')) return undefined;
    throw error;
  });

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body!.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
