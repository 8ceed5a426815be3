/** The file that stores servers and keys under names. Only its owner can read it. */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes, type CliFailure, isCliFailure } from './failure.ts';
import { parseJsonObject } from './params.ts';
import type { CliContext } from './context.ts';

export interface ServerProfile {
  server: string;
  key: string;
  /** File with the certificates to trust. */
  ca?: string;
  /** Fingerprint of the only certificate to trust. */
  fingerprint?: string;
}

export type ServerProfiles = Record<string, ServerProfile>;

export const profilesFile = ({ env, home }: CliContext): string =>
  join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'drawbridge', 'profiles.json');

export function readProfiles(context: CliContext): ServerProfiles | CliFailure {
  const file = profilesFile(context);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  if (isReadableByOthers(file))
    context.err(`${file} contains keys and other users can access it. Run chmod 600 on it.\n`);
  const profiles = parseJsonObject(file, text);
  return isCliFailure(profiles) ? { ...profiles, exit: exitCodes.refused } : (profiles as ServerProfiles);
}

/** Windows has no permission bits; the person's home folder protects the file there. */
const isReadableByOthers = (file: string): boolean =>
  process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;

/** Writes atomically, because a partly written file would lose every key in it. */
export function saveProfile(
  context: CliContext,
  name: string,
  profile: ServerProfile,
): CliFailure | undefined {
  const file = profilesFile(context);
  const before = readProfiles(context);
  if (isCliFailure(before)) return before;
  const profiles = { ...before, [name]: profile };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
  return undefined;
}
