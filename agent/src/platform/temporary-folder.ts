/** A folder that lives as long as the program. What a program that was killed has left, the next one removes. */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSafeParent } from './private-folder.ts';
import { NotPossible } from './platform.ts';

const othersWrite = 0o022;
const leftName = /^\.?drawbridge-agent-(\d+)-\w{6}$/;

/**
 * In the first place that programs can be loaded from, which not every machine allows in its temporary folder. Places
 * where another user could replace the folder are skipped.
 */
export function temporaryFolder(first?: string): string {
  const named = [first, tmpdir(), process.env['XDG_RUNTIME_DIR'], homedir()];
  const places = named.filter((place) => place !== undefined).filter(isSafeParent);
  places.forEach(sweep);
  const folder = firstOf(places, canLoad) ?? firstOf(places, () => true);
  if (folder === undefined) throw new NotPossible('There is no folder for temporary files.');
  process.once('exit', () => remove(folder));
  return folder;
}

function firstOf(places: readonly string[], fits: (folder: string) => boolean): string | undefined {
  for (const place of places) {
    const folder = makeIn(place);
    if (folder !== undefined && fits(folder)) return folder;
    if (folder !== undefined) remove(folder);
  }
  return undefined;
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

function makeIn(place: string): string | undefined {
  try {
    const hidden = place === homedir() ? '.' : '';
    return mkdtempSync(join(place, `${hidden}drawbridge-agent-${process.pid}-`));
  } catch {
    return undefined; // it is not there, or not for us
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

function sweep(place: string): void {
  for (const name of namesIn(place)) {
    const pid = Number(leftName.exec(name)?.[1] ?? 0);
    if (pid && !isRunning(pid) && isOwn(join(place, name))) remove(join(place, name));
  }
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place);
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
  return (
    stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & othersWrite) === 0
  );
}
