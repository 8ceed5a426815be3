/** A disk of a few megabytes that tests can fill up. Needs root. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FillableDisk {
  folder: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Frees what `fill` took. */
  free(): void;
}

export type SmallDisk = FillableDisk & Disposable;

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'none', folder]);
  const unmount = (): void => {
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  };
  process.once('exit', unmount);
  return {
    ...fillableDisk(folder),
    [Symbol.dispose]() {
      process.off('exit', unmount);
      unmount();
    },
  };
}

/** A disk that was mounted there, also by another process. */
export function fillableDisk(folder: string): FillableDisk {
  const filling = join(folder, 'filling');
  return {
    folder,
    fill() {
      for (const piece of [Buffer.alloc(64 * 1_024), Buffer.alloc(512), Buffer.alloc(1)])
        while (canAppend(filling, piece));
    },
    free: () => rmSync(filling, { force: true }),
  };
}

function canAppend(file: string, bytes: Buffer): boolean {
  try {
    appendFileSync(file, bytes);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
