/** Whether the data folder is there, writable, private, and on a disk with room. */
import { accessSync, constants, statfsSync, statSync, type StatsFs } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Finding } from '../../store/dialect.ts';
import { reasonOf } from '../place.ts';
import { ok, problem, warning } from './finding.ts';

const name = 'data folder';

export function folderChecks({ data }: Config): Finding[] {
  const stat = statSync(data, { throwIfNoEntry: false });
  if (!stat) return [ok(name, `${data} is not there yet: drawbridge start makes it.`)];
  if (!stat.isDirectory())
    return [problem(name, `${data} is no folder: choose another with DRAWBRIDGE_DATA.`)];
  return [writable(data), isPrivate(data, stat.mode), roomOf(statfsSync(data))];
}

function writable(data: string): Finding {
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(name, `${data} can be written.`);
  } catch (error) {
    return problem(name, `It can not be written (${reasonOf(error)}): give it to the user of the server.`);
  }
}

function isPrivate(data: string, mode: number): Finding {
  const others = mode & 0o077;
  return others === 0
    ? ok('privacy', 'Only its owner can enter the data folder.')
    : warning(
        'privacy',
        `Others can enter the data folder (mode ${(mode & 0o777).toString(8)}): chmod 700 ${data}`,
      );
}

/** Whether enough of a disk is free, by its blocks. */
export function roomOf({ bavail, blocks, bsize }: Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>): Finding {
  const free = Math.floor((bavail / blocks) * 100);
  const says = `${free} % of its disk are free (${Math.floor((bavail * bsize) / 1_048_576)} MB)`;
  if (free >= 10) return ok('disk', `${says}.`);
  return free >= 1
    ? warning('disk', `${says}: make room before it is full.`)
    : problem('disk', `${says}: make room now, changes are refused when it is full.`);
}
