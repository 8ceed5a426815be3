/** Keeps the idle agent small: gives back the pages of its file that only starting up, or the last task, needed. */
import { readFile } from 'node:fs/promises';

const firstAfterMs = 10_000;
const everyMs = 300_000;

/** MADV_DONTNEED: the pages leave this process; what is asked for again comes from the system's copy of the file. */
const notNeeded = 4;

export interface MemoryRange {
  start: bigint;
  length: bigint;
}

/**
 * The stretches of memory, by the text of /proc/self/smaps, that are nothing but a file: readable, never writable, and
 * without a page that was changed since. A changed page (there are some that became read-only later) would be lost.
 */
export function fileMappings(smaps: string): MemoryRange[] {
  return smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((entry) => {
    const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) r-[x-]p \S+ \S+ [1-9]\d* +\//.exec(entry) ?? [];
    if (start === undefined || end === undefined || !/^Anonymous: +0 kB$/m.test(entry)) return [];
    const from = BigInt(`0x${start}`);
    return [{ start: from, length: BigInt(`0x${end}`) - from }];
  });
}

export async function releaseFilePages(): Promise<void> {
  const { dlopen } = await import('node:ffi');
  const { functions } = dlopen(null, {
    madvise: { arguments: ['uint64', 'uint64', 'int32'], return: 'int32' },
  });
  for (const { start, length } of fileMappings(await readFile('/proc/self/smaps', 'utf8')))
    functions.madvise(start, length, notNeeded);
}

/** Now and then. Where it is not possible the agent is larger, and works. */
export function trimMemoryPeriodically(): void {
  const attempt = (): void => void releaseFilePages().catch(() => {});
  setTimeout(attempt, firstAfterMs).unref();
  setInterval(attempt, everyMs).unref();
}
