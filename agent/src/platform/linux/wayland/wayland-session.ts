/** Finds the Wayland desktops of the people who are signed in, with the one that a person most likely looks at first. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, type Execute } from '../../execute.ts';
import { isAtScreen, rankOf, seatLogins, type Login } from '../inventory/logins.ts';
import { namesIn } from '../inventory/system-files.ts';

export interface WaylandSession {
  uid: number;
  gid: number;
  /** XDG_RUNTIME_DIR of the person. */
  runtimeFolder: string;
  /** The name of the compositor's socket in that folder. */
  display: string;
}

/** Names a desktop on this device. */
export const keyOfSession = ({ runtimeFolder, display }: WaylandSession): string =>
  `${runtimeFolder}/${display}`;

/** Overrides the folder with the runtime folders of all people. For tests, which must not find the desktops of others. */
export const runtimeFoldersSetting = 'DRAWBRIDGE_AGENT_RUNTIME_FOLDERS';
export const defaultFolders = '/run/user';

/** The agent's own desktop if it runs in one; otherwise all that it can reach: as root, those of all people. */
export async function findWaylandSessions(
  env: NodeJS.ProcessEnv = process.env,
  ask: Execute = execute,
): Promise<WaylandSession[]> {
  const reachable = await listWaylandSessions(env);
  if (reachable.length < 2) return reachable;
  const logins = await seatLogins(ask);
  return reachable.toSorted((one, other) => sessionRank(one, logins) - sessionRank(other, logins));
}

/** The same, sorted by user and name. */
export async function listWaylandSessions(env: NodeJS.ProcessEnv = process.env): Promise<WaylandSession[]> {
  const [own, ownFolder] = [env['WAYLAND_DISPLAY'], env['XDG_RUNTIME_DIR']];
  if (own && ownFolder) return sessionsIn(ownFolder, (name) => name === own);
  const parent = env[runtimeFoldersSetting] ?? defaultFolders;
  const folders = (await namesIn(parent)).filter((name) => /^\d+$/.test(name));
  const found = (await Promise.all(folders.map((name) => sessionsIn(join(parent, name), isDisplay)))).flat();
  return found.filter(({ uid }) => [0, uid].includes(process.getuid!()));
}

const isDisplay = (name: string): boolean => /^wayland-\d+$/.test(name);

/** A socket counts only if the owner of the folder also owns it. */
async function sessionsIn(
  runtimeFolder: string,
  isWanted: (name: string) => boolean,
): Promise<WaylandSession[]> {
  const folder = await lstat(runtimeFolder).catch(() => undefined);
  const names = folder?.isDirectory() ? (await namesIn(runtimeFolder)).filter(isWanted) : [];
  const found = await Promise.all(
    names.toSorted().map(async (display) => {
      const socket = await lstat(join(runtimeFolder, display)).catch(() => undefined);
      if (!socket?.isSocket() || socket.uid !== folder!.uid) return [];
      return [{ uid: socket.uid, gid: socket.gid, runtimeFolder, display }];
    }),
  );
  return found.flat();
}

/** How likely a person sees the desktop; 0 is the most likely. */
export const sessionRank = ({ uid }: Pick<WaylandSession, 'uid'>, logins: readonly Login[]): number =>
  rankOf(logins.filter((login) => login.User === String(uid) && login.Type !== 'x11' && isAtScreen(login)));

/** The environment with which a program of that person reaches the desktop. */
export const environmentOf = ({ runtimeFolder, display }: WaylandSession): Record<string, string> => ({
  XDG_RUNTIME_DIR: runtimeFolder,
  WAYLAND_DISPLAY: display,
  DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(runtimeFolder, 'bus')}`,
});
