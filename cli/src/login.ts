/** The commands that store servers and keys: login and profiles. */
import { callServer } from './call.ts';
import { type CliFailure, isCliFailure, usageFailure } from './failure.ts';
import type { GlobalOptions } from './command-line.ts';
import { type ServerProfile, profilesFile, readProfiles, saveProfile } from './profiles.ts';
import { targetWithProfile } from './target.ts';
import type { CliContext } from './context.ts';

/** Saves a server and a key under a name after the server has accepted the key. */
export async function login(
  options: GlobalOptions,
  context: CliContext,
): Promise<CliFailure | { name: string; server: string }> {
  if (options.server === undefined) return usageFailure('login needs --server.');
  const target = await targetWithProfile(options, context);
  if (isCliFailure(target)) return target;
  // Every valid key may list the groups it can see, whatever its permissions.
  const { failure } = await callServer(target, 'groups/list', {});
  if (failure !== undefined) return failure;
  const { server, key, trust } = target;
  const name = options.profile ?? 'default';
  const pinned = trust.kind === 'pin' && { fingerprint: trust.fingerprint };
  const signed = trust.kind === 'file' && { ca: trust.file };
  return saveProfile(context, name, { server, key, ...pinned, ...signed }) ?? { name, server };
}

export const profileColumns = ['name', 'server', 'key'] as const;

/** Lists the saved servers with only the first characters of each key. */
export function listProfiles(context: CliContext): { data: object[] } | CliFailure {
  const profiles = readProfiles(context);
  if (isCliFailure(profiles)) return profiles;
  const toRow = ([name, { server, key }]: [string, ServerProfile]) => ({
    name,
    server,
    key: `${key.slice(0, 6)}…`,
  });
  return { data: Object.entries(profiles).map(toRow) };
}

export const savedMessage = (name: string, server: string, context: CliContext): string =>
  `Saved ${server} as profile ${name} in ${profilesFile(context)}.`;
