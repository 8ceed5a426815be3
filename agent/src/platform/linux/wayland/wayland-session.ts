/** Finds the Wayland desktops of the people who are signed in, with the one that a person most likely looks at first. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, type Execute } from '../../execute.ts';
import { loginsOf } from '../inventory/logins.ts';
import { namesIn } from '../inventory/system-files.ts';

export interface WaylandSession {
  uid: number;
  gid: number;
  /** XDG_RUNTIME_DIR of the person. */
  runtimeFolder: string;
  /** The name of the compositor's socket in that folder. */
  display: string;
}

/** Overrides the folder with the runtime folders of all people. For tests, which must not find the desktops of others. */
export const runtimeFoldersSetting = 'DRAWBRIDGE_AGENT_RUNTIME_FOLDERS';
const defaultFolders = '/run/user';

const properties = ['Type', 'Active', 'Seat', 'User'] as const;
type Login = Partial<Record<(typeof properties)[number], string>>;
/** If the login manager takes longer, its information is not used. */
const loginsTimeoutMs = 1_000;

/** The agent's own desktop if it runs in one; otherwise all that it can reach: as root, those of all people. */
export async function findWaylandSessions(
  env: NodeJS.ProcessEnv = process.env,
  ask: Execute = execute,
): Promise<WaylandSession[]> {
  const [own, ownFolder] = [env['WAYLAND_DISPLAY'], env['XDG_RUNTIME_DIR']];
  if (own && ownFolder) return sessionsIn(ownFolder, (name) => name === own);
  const parent = env[runtimeFoldersSetting] ?? defaultFolders;
  const folders = (await namesIn(parent)).filter((name) => /^\d+$/.test(name));
  const found = (await Promise.all(folders.map((name) => sessionsIn(join(parent, name), isDisplay)))).flat();
  const reachable = found.filter(({ uid }) => [0, uid].includes(process.getuid!()));
  if (reachable.length < 2) return reachable;
  const logins = await loginsOf(ask, properties, loginsTimeoutMs).catch(() => []);
  return reachable.toSorted((one, other) => visibilityRank(one, logins) - visibilityRank(other, logins));
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
const visibilityRank = ({ uid }: WaylandSession, logins: readonly Login[]): number =>
  Math.min(
    3,
    ...logins.filter(({ Type, User }) => Type === 'wayland' && User === String(uid)).map(loginRank),
  );

/** Remote logins have no seat; of the logins that share a seat, only the active one is visible. */
function loginRank({ Active, Seat }: Login): number {
  if (Active !== 'yes') return 2;
  return Seat ? 0 : 1;
}

/** The environment with which a program of that person reaches the desktop. */
export const environmentOf = ({ runtimeFolder, display }: WaylandSession): Record<string, string> => ({
  XDG_RUNTIME_DIR: runtimeFolder,
  WAYLAND_DISPLAY: display,
  DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(runtimeFolder, 'bus')}`,
});
