/**
 * What lies in an open folder, named by the folder's handle: `/proc/self/fd/N/name` is to the system what `openat` and
 * `unlinkat` are, so that nobody who exchanges a folder meanwhile leads a call elsewhere.
 */
import { constants, type Stats } from 'node:fs';
import { open, opendir, stat, type FileHandle } from 'node:fs/promises';
import { NotPossible } from '../platform.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
/** Names a thing without opening it, which would start some devices. Node has no word for it; Linux has one number. */
const O_PATH = 0o10_000_000;

/** Folders that one walk holds open at once, however deep somebody has made them. */
export const mostOpen = 128;

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** The place of a name in an open folder, as the system lets a process say it. */
export const within = (folder: FileHandle, name: string): string => `/proc/self/fd/${folder.fd}/${name}`;

/** The same for a name that may be no text. */
export const withinBytes = (folder: FileHandle, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(within(folder, '')), name]);

/** A folder, never through a link at the end of the path. */
export const openFolderAt = (path: string | Buffer): Promise<FileHandle> =>
  open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);

/** Whatever is there, a link too, without opening it. */
export const nameThing = (path: string): Promise<FileHandle> => open(path, O_PATH | O_NOFOLLOW);

/** What was named, opened for reading: the very same thing. Anything but a file is refused before it is opened. */
export async function openNamed(named: FileHandle): Promise<FileHandle> {
  if (!(await named.stat()).isFile()) throw new NotPossible('Only files can be fetched.');
  return open(`/proc/self/fd/${named.fd}`, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

/** A file for reading that is what it should be, found out before it is opened: a pipe would wait, and some devices start. */
export async function openFitting(
  path: string,
  fits: (about: Stats) => boolean,
): Promise<FileHandle | undefined> {
  const named = await open(path, O_PATH);
  try {
    const about = await named.stat();
    return about.isFile() && fits(about) ? await openNamed(named) : undefined;
  } finally {
    await named.close();
  }
}

/** The first names in a folder, as bytes. */
export async function firstNames(folder: FileHandle, most: number): Promise<Buffer[]> {
  const names: Buffer[] = [];
  // The types of Node know entries with names of text alone.
  const entries = await opendir(within(folder, '.'), { encoding: 'buffer' as BufferEncoding });
  for await (const { name } of entries) {
    names.push(name as unknown as Buffer);
    if (names.length === most) break;
  }
  return names;
}

export const closeAll = async (handles: FileHandle[]): Promise<void> =>
  void (await Promise.all(handles.map((handle) => handle.close())));

/** Throws where the system does not let a process name its open folders. */
export async function requireHandles(): Promise<void> {
  const top = await openFolderAt('/');
  try {
    const [held, named] = [await top.stat(), await stat(within(top, '.')).catch(() => undefined)];
    if (named?.dev !== held.dev || named.ino !== held.ino)
      throw new NotPossible('Files need /proc, which this device does not show to the agent.');
  } finally {
    await top.close();
  }
}
