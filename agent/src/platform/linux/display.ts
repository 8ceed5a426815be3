/** Finds the X11 displays, with the one that a person most likely looks at first. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, type Execute } from '../execute.ts';
import { namesIn } from './inventory/system-files.ts';
import { loginsOf } from './inventory/logins.ts';

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

const properties = ['Type', 'Active', 'Seat', 'Display', 'User'] as const;
type Login = Partial<Record<(typeof properties)[number], string>>;
/** If the login manager takes longer, its information is not used. */
const loginsTimeoutMs = 1_000;

/**
 * Returns only the display that DISPLAY names if it is set, because it was set on purpose; otherwise all displays whose
 * sockets exist, even if their server no longer runs.
 */
export async function findDisplays(
  env: NodeJS.ProcessEnv = process.env,
  ask: Execute = execute,
): Promise<DisplayAddress[]> {
  if (env['DISPLAY']) return [{ display: env['DISPLAY'] }];
  const found = await socketsIn(env[socketsSetting] ?? defaultSockets);
  if (found.length < 2) return found;
  const logins = await loginsOf(ask, properties, loginsTimeoutMs).catch(() => []);
  return found.toSorted((one, other) => visibilityRank(one, logins) - visibilityRank(other, logins));
}

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
const visibilityRank = (found: FoundDisplay, logins: readonly Login[]): number =>
  Math.min(3, ...logins.filter((login) => isOf(found, login)).map(loginRank));

/** Remote logins have no seat; of the logins that share a seat, only the active one is visible. */
function loginRank({ Active, Seat }: Login): number {
  if (Active !== 'yes') return 2;
  return Seat ? 0 : 1;
}

/** A Wayland login does not name its Xwayland display; it is one whose socket its user owns. */
function isOf({ display, uid }: FoundDisplay, { Type, Display, User }: Login): boolean {
  if (Display) return withoutScreen(Display) === display;
  return (Type === 'x11' || Type === 'wayland') && User === String(uid);
}

/** Removes the screen number, for example `:0` from `:0.0`. */
export const withoutScreen = (display: string): string => display.replace(/\.\d+$/, '');
