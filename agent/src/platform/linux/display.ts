/** Finds the X11 displays, with the one that a person most likely looks at first. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, type Execute } from '../execute.ts';
import { namesIn } from './inventory/system-files.ts';
import { rankOf, seatLogins, type Login } from './inventory/logins.ts';

export interface DisplayAddress {
  /** Such as `:0`. */
  display: string;
  /** The path of the socket; undefined for the display that DISPLAY names, which may be remote. */
  socket?: string;
  /** The owner of the socket. */
  uid?: number;
}

type FoundDisplay = Required<DisplayAddress>;

/** Overrides the folder with the sockets of all displays. For tests, which must not find the displays of others. */
export const socketsSetting = 'DRAWBRIDGE_AGENT_X11_SOCKETS';
const defaultSockets = '/tmp/.X11-unix';

/**
 * Returns only the display that DISPLAY names if it is set, because it was set on purpose; otherwise all displays whose
 * sockets exist, even if their server no longer runs.
 */
export async function findDisplays(
  env: NodeJS.ProcessEnv = process.env,
  ask: Execute = execute,
): Promise<DisplayAddress[]> {
  const found = await listDisplays(env);
  if (found.length < 2) return found;
  const logins = await seatLogins(ask);
  return found.toSorted((one, other) => displayRank(one, logins) - displayRank(other, logins));
}

/** The same, sorted by number. */
export const listDisplays = async (env: NodeJS.ProcessEnv = process.env): Promise<DisplayAddress[]> =>
  env['DISPLAY'] ? [{ display: env['DISPLAY'] }] : socketsIn(env[socketsSetting] ?? defaultSockets);

/** Sorted by number. */
async function socketsIn(folder: string): Promise<FoundDisplay[]> {
  const names = (await namesIn(folder)).filter((name) => /^X\d+$/.test(name));
  const numbers = names.map((name) => Number(name.slice(1))).toSorted((one, other) => one - other);
  const found = await Promise.all(
    numbers.map(async (number) => {
      const socket = join(folder, `X${number}`);
      const about = await lstat(socket).catch(() => undefined);
      return about?.isSocket() ? [{ display: `:${number}`, socket, uid: about.uid }] : [];
    }),
  );
  return found.flat();
}

/** How likely the person at the device sees a display; 0 is the most likely. */
export const displayRank = (found: DisplayAddress, logins: readonly Login[]): number =>
  rankOf(logins.filter((login) => isOf(found, login)));

/** A Wayland login does not name its Xwayland display; it is one whose socket its user owns. */
function isOf({ display, uid }: DisplayAddress, { Type, Display, User }: Login): boolean {
  if (Display) return withoutScreen(Display) === display;
  return (Type === 'x11' || Type === 'wayland') && User === String(uid);
}

/** Removes the screen number, for example `:0` from `:0.0`. */
export const withoutScreen = (display: string): string => display.replace(/\.\d+$/, '');
