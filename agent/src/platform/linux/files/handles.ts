/**
 * File system calls relative to an open folder. `/proc/self/fd/N/name` gives them the semantics of `openat` and
 * `unlinkat`: replacing a parent folder by a symbolic link does not redirect them.
 */
import { constants, type Stats } from 'node:fs';
import { open, opendir, readFile, stat, type FileHandle } from 'node:fs/promises';
import { NotPossible } from '../../platform.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
/** Refers to a file without opening it: opening has side effects on devices and pipes. Node does not export the constant. */
const O_PATH = 0o10_000_000;

/** The limit of handles per walk. Local users can nest folders without limit. */
export const maxOpenFolders = 128;

/** A path for an entry of an open folder. */
export const pathWithin = (folder: FileHandle, name: string): string => `/proc/self/fd/${folder.fd}/${name}`;

/** The same for a name that may not be valid UTF-8. */
export const pathWithinBytes = (folder: FileHandle, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(pathWithin(folder, '')), name]);

/** Opens a folder; fails with ENOTDIR if the last component is a symbolic link. */
export const openDirectory = (path: string | Buffer): Promise<FileHandle> =>
  open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);

/** Refers to an entry of any kind, a symbolic link included, without opening it. */
export const openPath = (path: string): Promise<FileHandle> => open(path, O_PATH | O_NOFOLLOW);

/** Opens for reading what a handle of `openPath` refers to. Only regular files are opened. */
export async function reopenForReading(named: FileHandle): Promise<FileHandle> {
  if (!(await named.stat()).isFile()) throw new NotPossible('Only regular files can be downloaded.');
  return open(`/proc/self/fd/${named.fd}`, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

/** Opens a regular file that `fits` accepts, else returns undefined. Pipes and devices are never opened. */
export async function openRegularFile(
  path: string,
  fits: (about: Stats) => boolean,
): Promise<FileHandle | undefined> {
  const named = await open(path, O_PATH);
  try {
    const about = await named.stat();
    return about.isFile() && fits(about) ? await reopenForReading(named) : undefined;
  } finally {
    await named.close();
  }
}

/** The first names in a folder, as bytes because names need not be valid UTF-8. */
export async function readNames(folder: FileHandle, limit: number): Promise<Buffer[]> {
  const names: Buffer[] = [];
  // Node returns buffers for this encoding, which its types do not say.
  const entries = await opendir(pathWithin(folder, '.'), { encoding: 'buffer' as BufferEncoding });
  for await (const { name } of entries) {
    names.push(name as unknown as Buffer);
    if (names.length === limit) break;
  }
  return names;
}

/** The mount that a handle is in, and its file system: one file system can be mounted at several places. */
export async function mountOf(handle: FileHandle): Promise<string> {
  const info = await readFile(`/proc/self/fdinfo/${handle.fd}`, 'utf8');
  return `${/^mnt_id:\s*(\d+)$/m.exec(info)?.[1]} ${(await handle.stat()).dev}`;
}

export const closeAll = async (handles: FileHandle[]): Promise<void> =>
  void (await Promise.all(handles.map((handle) => handle.close())));

/** Throws unless `/proc/self/fd` works for this process. */
export async function requireProc(): Promise<void> {
  const top = await openDirectory('/');
  try {
    const [held, named] = [await top.stat(), await stat(pathWithin(top, '.')).catch(() => undefined)];
    if (named?.dev !== held.dev || named.ino !== held.ino)
      throw new NotPossible('File transfer needs /proc, which the agent cannot access on this device.');
  } finally {
    await top.close();
  }
}
