/** CPU time of process trees, from Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { cpuSeconds } from '../kit/process.ts';

function parents(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const [, parent] = /^.*\) \S (\d+)/s.exec(read(`/proc/${name}/stat`)) ?? [];
    if (parent !== undefined)
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
  }
  return children;
}

/** Returns an empty string if the process has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The process and all its descendants. */
function processTreeOf(pid: number): number[] {
  const [children, family] = [parents(), [pid]];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family;
}

export const processTreeSeconds = (pid: number): number =>
  processTreeOf(pid).reduce((sum, member) => sum + secondsOf(member), 0);

function secondsOf(pid: number): number {
  try {
    return cpuSeconds(pid);
  } catch {
    return 0;
  }
}

/** The child of this process whose command line contains this text. */
export function childWith(argument: string): number {
  const own = parents().get(process.pid) ?? [];
  const found = own.find((pid) => read(`/proc/${pid}/cmdline`).includes(argument));
  if (found === undefined) throw new Error(`No process of ours has ${argument}.`);
  return found;
}

/** Total busy seconds of all processors. */
export function machineSeconds(): number {
  const [, ...fields] = read('/proc/stat').split('\n', 1)[0]!.split(/\s+/).map(Number);
  return [0, 1, 2, 5, 6].reduce((sum, field) => sum + fields[field]!, 0) / 100;
}
