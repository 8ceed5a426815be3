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

const place = '/usr/local/lib/drawbridge/drawbridge-agent';
/** So that `drawbridge-agent status` is found. */
const link = '/usr/local/bin/drawbridge-agent';

/** Puts the single file where it stays; tells the words that start this very program. */
export function settle(): string[] {
  if (!isSea()) return [process.execPath, process.argv[1]!, 'agent'];
  // The running program itself: the file at its path can have been replaced since the start.
  if (process.execPath !== place) copyWhole('/proc/self/exe', place);
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(place, link);
  return [place];
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
export function unsettle(): void {
  rmSync(link, { force: true });
  rmSync(place, { force: true });
  const folder = dirname(place);
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
