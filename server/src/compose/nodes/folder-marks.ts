/** Texts that the first server writes into a folder, and that all others read: by them, a folder and a server are recognised. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chownToFolderOwner } from '../../store/blobs/durable-files.ts';
import { StartRefused } from '../start-refused.ts';

/** How often a file without a text is read again: another server creates it before it writes the text. */
const maxReads = 100;
const waitForText = (): Promise<void> => sleep(50);

/** The name of the server that uses this data folder. */
export const nodeIdIn = (folder: string): Promise<string> => readOrCreate(folder, 'node-id', randomUUID);

/** Servers whose folder has the same mark use the same folder. */
export const folderMark = (folder: string, wait = waitForText): Promise<string> =>
  readOrCreate(folder, 'mark', () => randomBytes(16).toString('hex'), wait);

async function readOrCreate(
  folder: string,
  name: string,
  create: () => string,
  wait = waitForText,
): Promise<string> {
  const file = join(folder, name);
  if (await mkdir(folder, { recursive: true, mode: 0o700 })) chownToFolderOwner(folder);
  try {
    await writeFile(file, create(), { flag: 'wx', mode: 0o600 });
    chownToFolderOwner(file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  for (let reads = 1; reads <= maxReads; reads++) {
    const text = await readFile(file, 'utf8');
    if (text !== '') return text;
    await wait();
  }
  throw new StartRefused(`${file} is empty. Remove it, then start the server again.`);
}
