/** Writes a file so that it exists completely or not at all, even after a power failure. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function writeFileAtomic(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeSynced(draft, text, mode);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

async function writeSynced(file: string, text: string, mode: number): Promise<void> {
  await using handle = await open(file, 'wx', mode);
  await handle.writeFile(text);
  await handle.sync();
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and makes renames durable without it.
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
