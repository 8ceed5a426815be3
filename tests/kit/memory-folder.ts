/** Keeps the temporary files of a run of the tests in memory: many tests would wait longer for the disk than they compute. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** Usual on Linux. Containers often have a small one, or one that runs no programs. */
const memory = '/dev/shm';

/** Far more than a whole run needs at a time. */
const neededBytes = 8 * 2 ** 30;

function isUsable(): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === memory)?.[3];
  if (options === undefined || /\b(ro|noexec)\b/.test(options)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, freemem()) >= neededBytes;
}

const remove = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });

/** What runs of this user have left that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(memory)) {
    const [, owner] = /^drawbridge-(\d+)-/.exec(name) ?? [];
    const folder = join(memory, name);
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue;
    if (statSync(folder).uid === process.getuid!()) remove(folder);
  }
}

/**
 * From now on, this process and those that it starts keep temporary files in memory; they are removed with this process.
 * Does nothing if there is no room, or if the environment names a folder. As `/tmp`, the folder is open to all users,
 * because PostgreSQL and some agents run as others.
 */
export function useMemoryFolder(): void {
  if (process.env['TMPDIR'] !== undefined || !isUsable()) return;
  removeLeftovers();
  const folder = mkdtempSync(join(memory, `drawbridge-${process.pid}-`));
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => remove(folder));
}
