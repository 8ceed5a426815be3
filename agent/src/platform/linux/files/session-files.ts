/** The file system for an operator: all of it, or only the folder that a setting names. */
import { lstat, mkdir, rename, rmdir, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Files, ReadableFile } from '../../files.ts';
import { createPartialFile } from '../../uploads/partial-file.ts';
import { withReadableErrors, withReadableFileErrors } from '../../uploads/readable-errors.ts';
import { withFolderEntry, openFile, type FolderEntry } from './open-beneath.ts';
import { createFolderPages } from './folder-pages.ts';
import { findFilesRoot } from './files-root.ts';
import { requireProc } from './handles.ts';
import { inheritFolderOwner } from './ownership.ts';
import { removeAt } from './remove-tree.ts';
import { renameNoReplace } from './rename-no-replace.ts';
import { createSweeper } from './partial-names.ts';
import { openUploadFolder } from './upload-folder.ts';

export async function openFiles(env: NodeJS.ProcessEnv = process.env): Promise<Files> {
  await requireProc();
  const root = await findFilesRoot(env);
  const sweeper = createSweeper();
  const page = createFolderPages(root, sweeper);
  return {
    home: homeBelow(root),
    list: (path, after) => withReadableErrors(page(path, after)),
    open: (path) => withReadableErrors(openToRead(root, path)),
    create: (file) =>
      withReadableErrors(
        createPartialFile(root, file, (path) => openUploadFolder(root, path, sweeper)).then(
          withReadableFileErrors,
        ),
      ),
    folder: (path) => withReadableErrors(makeFolder(root, path)),
    rename: (path, to) => withReadableErrors(move(root, path, to)),
    remove: (path) =>
      withReadableErrors(withFolderEntry(root, path, ({ folder, name }) => removeAt(folder, name))),
  };
}

/** The folder in which an operator starts. */
const homeBelow = (root: string): string => {
  if (root === '/') return homedir();
  return homedir().startsWith(`${root}/`) ? homedir().slice(root.length) : '/';
};

async function openToRead(root: string, path: string): Promise<ReadableFile> {
  const handle = await openFile(root, path);
  try {
    const { size, mtimeMs } = await handle.stat();
    const virtual = size === 0 ? await readVirtual(handle) : undefined;
    return {
      size: virtual?.length ?? size,
      time: Math.floor(mtimeMs / 1_000),
      // Limited to the size at opening, because a file can grow while it is sent.
      read: async (at, length) =>
        virtual?.subarray(at, at + length) ?? readChunk(handle, at, Math.min(length, size - at)),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The most bytes that are read of a virtual file. */
const maxVirtualBytes = 16 * 1_024 * 1_024;

async function readChunk(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  if (length <= 0) return new Uint8Array();
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Reads a file whose size is reported as 0, such as those in /proc. */
async function readVirtual(handle: FileHandle): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let [at, last] = [0, await readChunk(handle, 0, 65_536)];
  for (; last.length > 0 && at < maxVirtualBytes; last = await readChunk(handle, at, 65_536)) {
    chunks.push(last);
    at += last.length;
  }
  return Buffer.concat(chunks);
}

const makeFolder = (root: string, path: string): Promise<void> =>
  withFolderEntry(root, path, async (entry) => {
    await mkdir(entry.path);
    await inheritFolderOwner(entry.folder, entry.path);
  });

/** Moves a file or a folder without replacing another. */
const move = (root: string, from: string, to: string): Promise<void> =>
  withFolderEntry(root, from, (source) =>
    withFolderEntry(root, to, async (target) => {
      const isFolder = (await lstat(source.path)).isDirectory();
      await (isFolder ? moveFolder(source, target) : renameNoReplace(source.path, target.path));
    }),
  );

/** Creating the target first guarantees that only an empty folder is replaced; the slash, that only a folder is moved. */
async function moveFolder(source: FolderEntry, target: FolderEntry): Promise<void> {
  await mkdir(target.path, 0o700);
  await rename(`${source.path}/`, target.path).catch(async (error: unknown) => {
    await rmdir(target.path).catch(() => {});
    throw error;
  });
}
