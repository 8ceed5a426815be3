/** A file that comes in pieces: written beside its place, checked, and put there in one step. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import type { GrowingFile, Incoming } from '../files.ts';
import { NotPossible } from '../platform.ts';
import { openFolder, within } from './beneath.ts';

const suffix = '.drawbridge-part';

export const isUnfinished = (name: string): boolean => name.endsWith(suffix);

/** The same file from the same source finds what an earlier try has left. */
const asideName = ({ path, size, time }: Incoming): string =>
  `.${createHash('sha256')
    .update(JSON.stringify([path, size, time]))
    .digest('hex')
    .slice(0, 32)}${suffix}`;

const pieceBytes = 1_024 * 1_024;

export async function createGrowing(root: string, file: Incoming): Promise<GrowingFile> {
  const cut = file.path.lastIndexOf('/');
  const name = file.path.slice(cut + 1);
  if (name === '' || name === '.' || name === '..') throw new NotPossible('The path names no file.');
  const folder = await openFolder(root, file.path.slice(0, cut));
  const aside = within(folder, asideName(file));
  const target = within(folder, name);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  const handle = await unlessTaken(target, file, () => open(aside, flags, 0o600)).catch(
    async (error: unknown) => {
      await folder.close();
      throw error;
    },
  );
  const left = (await handle.stat()).size;
  const from = left > file.size ? 0 : left;
  if (from === 0) await handle.truncate(0);
  const hash = await hashOf(handle, from);
  let at = from;
  const close = async (): Promise<void> => {
    await handle.close();
    await folder.close();
  };
  return {
    from,
    async write(offset, data) {
      if (offset !== at || offset + data.length > file.size)
        throw new NotPossible('A piece of the file came out of order.');
      await handle.writev([data], offset);
      hash.update(data);
      at += data.length;
    },
    async finish(sha256) {
      try {
        const isWhole = at === file.size && hash.digest('hex') === sha256;
        if (isWhole) await place(handle, { aside, target, file });
        else await unlink(aside);
        if (!isWhole)
          throw new NotPossible('The file did not arrive as it was sent; nothing was kept of it.');
      } finally {
        await close();
      }
    },
    close,
  };
}

/** Nobody should bring a large file in vain. */
async function unlessTaken<Result>(
  target: string,
  { replace }: Incoming,
  work: () => Promise<Result>,
): Promise<Result> {
  const found = replace ? undefined : await lstat(target).catch(() => undefined);
  if (found) throw new NotPossible('There is something of that name already.');
  return work();
}

async function hashOf(handle: FileHandle, length: number) {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(length, pieceBytes) || 1);
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, length - at), at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash;
}

/** On disk first, then under its name; without leave to replace, a name that is taken stays with its file. */
async function place(
  handle: FileHandle,
  { aside, target, file }: { aside: string; target: string; file: Incoming },
): Promise<void> {
  await handle.chmod(0o644);
  if (file.time !== undefined) await handle.utimes(file.time, file.time);
  await handle.sync();
  if (file.replace) return rename(aside, target);
  await link(aside, target);
  await unlink(aside);
}
