/** The file that keeps servers and keys under names, readable by its owner alone. */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes, type CliFailure, isCliFailure } from './failure.ts';
import { parseJsonObject } from './params.ts';
import type { CliContext } from './context.ts';

export interface ServerProfile {
  server: string;
  key: string;
  /** A file with the certificates to trust. */
  ca?: string;
  /** The fingerprint of the one certificate to trust. */
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

/** Windows has no such bits; there the folder of the person protects the file. */
const isReadableByOthers = (file: string): boolean =>
  process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;

/** Whole or not at all: a file that is half written would lose every key in it. */
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
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
  return undefined;
}
