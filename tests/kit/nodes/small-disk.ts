/** A disk of a few megabytes that tests can fill up. Needs root. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  folder: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Frees what `fill` took. */
  free(): void;
}

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'none', folder]);
  const filling = join(folder, 'filling');
  const unmount = (): void => {
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  };
  process.once('exit', unmount);
  return {
    folder,
    fill() {
      for (const piece of [Buffer.alloc(64 * 1_024), Buffer.alloc(512), Buffer.alloc(1)])
        while (canAppend(filling, piece));
    },
    free: () => rmSync(filling, { force: true }),
    [Symbol.dispose]() {
      process.off('exit', unmount);
      unmount();
    },
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
