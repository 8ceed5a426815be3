/** A folder that exists only while the program runs. The next program removes what a killed one left behind. */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSafeParent } from './private-folder.ts';
import { NotPossible } from './platform.ts';
import { removeLater } from './windows/remove-later.ts';

const othersWrite = 0o022;
const leftName = /^\.?drawbridge-agent-(\d+)-\w{6}$/;

/**
 * Creates the folder in the first location from which programs can be loaded, because not every machine allows that in its
 * temporary folder. Locations where another user could replace the folder are skipped.
 */
export function temporaryFolder(first?: string): string {
  const named = [first, tmpdir(), process.env['XDG_RUNTIME_DIR'], homedir()];
  const locations = named.filter((location) => location !== undefined).filter(isSafeParent);
  locations.forEach(sweep);
  const folder = firstOf(locations, canLoad) ?? firstOf(locations, () => true);
  if (folder === undefined) throw new NotPossible('There is no folder for temporary files.');
  process.once('exit', () => remove(folder));
  return folder;
}

function firstOf(locations: readonly string[], fits: (folder: string) => boolean): string | undefined {
  for (const location of locations) {
    const folder = makeIn(location);
    if (folder !== undefined && fits(folder)) return folder;
    if (folder !== undefined) remove(folder);
  }
  return undefined;
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (process.platform !== 'win32') throw error;
    removeLater(folder);
  }
}

function makeIn(location: string): string | undefined {
  try {
    const hidden = location === homedir() ? '.' : '';
    return mkdtempSync(join(location, `${hidden}drawbridge-agent-${process.pid}-`));
  } catch {
    return undefined; // the location does not exist or is not accessible
  }
}

function canLoad(folder: string): boolean {
  if (process.platform === 'win32') return true;
  const probe = join(folder, 'probe');
  writeFileSync(probe, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(probe);
  rmSync(probe);
  return status === 0;
}

function sweep(location: string): void {
  for (const name of namesIn(location)) {
    const pid = Number(leftName.exec(name)?.[1] ?? 0);
    if (pid && !isRunning(pid) && isOwn(join(location, name))) remove(join(location, name));
  }
}

function namesIn(location: string): string[] {
  try {
    return readdirSync(location);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Owned by this user and writable by no one else. */
function isOwn(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  // On Windows the temporary folder itself belongs to the user.
  if (process.platform === 'win32') return stats?.isDirectory() === true;
  return (
    stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & othersWrite) === 0
  );
}
