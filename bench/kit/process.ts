/** Reads the CPU time of all threads and the memory of a process from Linux. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU seconds in user and kernel mode, including all threads. */
export function cpuSeconds(pid: number): number {
  // The second field is the program's name in brackets, which can contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user, kernel] = [Number(fields[11]), Number(fields[12])];
  return (user + kernel) / ticksPerSecond;
}

/** Resident memory in MB (MiB). */
export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

/** MB that are resident: in the heap of malloc that grows from the program's end, in other memory of its own, and of files. */
export interface ResidentParts {
  malloc: number;
  anonymous: number;
  files: number;
}

/** From /proc/PID/smaps. Memory of V8 and large blocks of malloc are anonymous mappings. */
function residentParts(smaps: string): ResidentParts {
  const parts: ResidentParts = { malloc: 0, anonymous: 0, files: 0 };
  for (const mapping of smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
    const [, name = ''] = /^(?:\S+ +){5}(.*)$/m.exec(mapping) ?? [];
    const megabytes = Number(/^Rss: +(\d+) kB$/m.exec(mapping)?.[1] ?? 0) / 1_024;
    parts[name === '[heap]' ? 'malloc' : name.startsWith('/') ? 'files' : 'anonymous'] += megabytes;
  }
  return parts;
}

export const readResidentParts = (pid: number): ResidentParts =>
  residentParts(readFileSync(`/proc/${pid}/smaps`, 'utf8'));

/** Sends a signal to a child and waits until it has ended. */
export async function endProcess(
  child: ChildProcess,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(late);
}
