/** Checks that the data folder exists, is writable and private, and that its disk has free space. */
import { accessSync, constants, statfsSync, statSync, type StatsFs } from 'node:fs';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../store/engine/database.ts';
import { errorText } from '../store-access.ts';
import { ok, problem, warning } from './finding.ts';

const name = 'data folder';

export function folderChecks({ data }: Config): Finding[] {
  const stat = statSync(data, { throwIfNoEntry: false });
  if (!stat) return [ok(name, `${data} does not exist yet: drawbridge start creates it.`)];
  if (!stat.isDirectory())
    return [problem(name, `${data} is not a folder: set DRAWBRIDGE_DATA to a folder.`)];
  return [writable(data), isPrivate(data, stat.mode), checkDiskSpace(statfsSync(data))];
}

function writable(data: string): Finding {
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(name, `${data} is writable.`);
  } catch (error) {
    return problem(
      name,
      `It cannot be written (${errorText(error)}): make it writable for the user that runs the server.`,
    );
  }
}

function isPrivate(data: string, mode: number): Finding {
  const others = mode & 0o077;
  return others === 0
    ? ok('privacy', 'Only its owner can enter the data folder.')
    : warning(
        'privacy',
        `Other users can enter the data folder (mode ${(mode & 0o777).toString(8)}): run chmod 700 ${data}`,
      );
}

/** Whether enough blocks of a disk are free. */
export function checkDiskSpace({
  bavail,
  blocks,
  bsize,
}: Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>): Finding {
  const free = Math.floor((bavail / blocks) * 100);
  const says = `${free} % of its disk is free (${Math.floor((bavail * bsize) / 1_048_576)} MB)`;
  if (free >= 10) return ok('disk', `${says}.`);
  return free >= 1
    ? warning('disk', `${says}: free some space before it is full.`)
    : problem('disk', `${says}: free some space now. The server refuses changes when the disk is full.`);
}
