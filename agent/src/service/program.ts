/** The installed program of the agent: where it is stored, and the command that starts it. */
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
/** Makes `drawbridge-agent status` available. */
const linkPath = '/usr/local/bin/drawbridge-agent';

/** Installs the single-file build and returns the command that starts it. */
export function installProgram(): string[] {
  if (!isSea()) return [process.execPath, process.argv[1]!, 'agent'];
  // Copies the running program, because the file at its path may have been replaced since the start.
  if (process.execPath !== programPath) copyAtomically('/proc/self/exe', programPath);
  mkdirSync(dirname(linkPath), { recursive: true });
  rmSync(linkPath, { force: true });
  symlinkSync(programPath, linkPath);
  return [programPath];
}

/** Replaces the file instead of writing into it, because another agent may run from it. */
function copyAtomically(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  rmSync(`${to}.new`, { force: true });
  copyFileSync(from, `${to}.new`, constants.COPYFILE_EXCL);
  chmodSync(`${to}.new`, 0o755);
  renameSync(`${to}.new`, to);
}

/** A running program can be removed; it keeps running until it ends. */
export function removeProgram(): void {
  rmSync(linkPath, { force: true });
  rmSync(programPath, { force: true });
  const folder = dirname(programPath);
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
