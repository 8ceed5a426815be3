/** The agent's own program: the place where it stays on a device, and the command that starts it. */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isSea } from 'node:sea';

const programPath = '/usr/local/lib/drawbridge/drawbridge-agent';
/** So that `drawbridge-agent status` is found. */
const linkPath = '/usr/local/bin/drawbridge-agent';

/** Puts the single file where it stays; tells the words that start this very program. */
export function installProgram(): string[] {
  if (!isSea()) return [process.execPath, process.argv[1]!, 'agent'];
  // The running program itself: the file at its path can have been replaced since the start.
  if (process.execPath !== programPath) copyWhole('/proc/self/exe', programPath);
  mkdirSync(dirname(linkPath), { recursive: true });
  rmSync(linkPath, { force: true });
  symlinkSync(programPath, linkPath);
  return [programPath];
}

/** Another agent may run from there: its file is replaced, not written into. */
function copyWhole(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  rmSync(`${to}.new`, { force: true });
  copyFileSync(from, `${to}.new`, constants.COPYFILE_EXCL);
  chmodSync(`${to}.new`, 0o755);
  renameSync(`${to}.new`, to);
}

/** A program that runs can be removed; it lives on until it ends. */
export function removeProgram(): void {
  rmSync(linkPath, { force: true });
  rmSync(programPath, { force: true });
  const folder = dirname(programPath);
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
