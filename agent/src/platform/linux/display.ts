/** Which X11 displays there are, the one that somebody most likely looks at first. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, type Execute } from '../execute.ts';
import { namesIn } from './inventory/system-files.ts';
import { loginsOf } from './inventory/logins.ts';

export interface DisplayAddress {
  /** Such as `:0`. */
  display: string;
  /** Where it listens; undefined for the one that DISPLAY names, which may be anywhere. */
  socket?: string;
}

interface FoundDisplay extends DisplayAddress {
  socket: string;
  /** Whose socket it is. */
  uid: number;
}

/** The folder with the sockets of all displays. Another one is for tests, which must not find the displays of others. */
export const socketsSetting = 'DRAWBRIDGE_AGENT_X11_SOCKETS';
const usualSockets = '/tmp/.X11-unix';

const properties = ['Type', 'Active', 'Seat', 'Display', 'User'] as const;
type Login = Partial<Record<(typeof properties)[number], string>>;
/** A login manager that takes longer is done without. */
const loginsTimeoutMs = 1_000;

/**
 * The display that DISPLAY names and no other, as whoever sets it means that one; else all whose sockets are there, which
 * does not say that they live.
 */
export async function findDisplays(
  env: NodeJS.ProcessEnv = process.env,
  ask: Execute = execute,
): Promise<DisplayAddress[]> {
  if (env['DISPLAY']) return [{ display: env['DISPLAY'] }];
  const found = await socketsIn(env[socketsSetting] ?? usualSockets);
  if (found.length < 2) return found;
  const logins = await loginsOf(ask, properties, loginsTimeoutMs).catch(() => []);
  return found.toSorted((one, other) => distance(one, logins) - distance(other, logins));
}

/** By number. */
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

/** How far a display is from the eyes of whoever sits at the device. */
const distance = (found: FoundDisplay, logins: readonly Login[]): number =>
  Math.min(3, ...logins.filter((login) => isOf(found, login)).map(farAway));

/** Logins from elsewhere have no seat; of those who share a seat only one is active, that is seen. */
function farAway({ Active, Seat }: Login): number {
  if (Active !== 'yes') return 2;
  return Seat ? 0 : 1;
}

/** A desktop of Wayland does not tell which display is its guest's: that is one whose socket is its user's. */
function isOf({ display, uid }: FoundDisplay, { Type, Display, User }: Login): boolean {
  if (Display) return withoutScreen(Display) === display;
  return (Type === 'x11' || Type === 'wayland') && User === String(uid);
}

/** `:0` of `:0.0`, which names a screen of it. */
export const withoutScreen = (display: string): string => display.replace(/\.\d+$/, '');
