/** Keeps the memory of the idle agent small: releases file-backed pages that only the start or the last task needed. */
import { readFile } from 'node:fs/promises';

const firstAfterMs = 10_000;
const everyMs = 300_000;

/** MADV_DONTNEED: the pages are released, and the system reads them from the file again on access. */
const dontNeed = 4;

export interface MemoryRange {
  start: bigint;
  length: bigint;
}

/**
 * Parses /proc/self/smaps and returns the mappings that only mirror a file: readable, not writable, and without changed
 * pages. Changed pages, of which some became read-only later, would be lost.
 */
export function fileMappings(smaps: string): MemoryRange[] {
  return smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((entry) => {
    const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) r-[x-]p \S+ \S+ [1-9]\d* +\//.exec(entry) ?? [];
    if (start === undefined || end === undefined || !/^Anonymous: +0 kB$/m.test(entry)) return [];
    const from = BigInt(`0x${start}`);
    return [{ start: from, length: BigInt(`0x${end}`) - from }];
  });
}

async function releaseFilePages(): Promise<void> {
  const { dlopen } = await import('node:ffi');
  const { functions } = dlopen(null, {
    madvise: { arguments: ['uint64', 'uint64', 'int32'], return: 'int32' },
  });
  for (const { start, length } of fileMappings(await readFile('/proc/self/smaps', 'utf8')))
    functions.madvise(start, length, dontNeed);
}

/** If this is not possible, the agent uses more memory but works. */
export function trimMemoryPeriodically(): void {
  const attempt = (): void => void releaseFilePages().catch(() => {});
  setTimeout(attempt, firstAfterMs).unref();
  setInterval(attempt, everyMs).unref();
}
