/** Reads the sessions of the login manager, and tells which of them is in front at the device. */
import type { Execute } from '../../execute.ts';

/** Returns these properties of every session; rejects if no login manager answers in time. */
export async function loginsOf<Property extends string>(
  execute: Execute,
  properties: readonly Property[],
  timeoutMs: number,
): Promise<Partial<Record<Property, string>>[]> {
  const listed = await execute('loginctl', ['list-sessions', '--no-legend'], timeoutMs);
  const ids = (listed ?? '').split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || []);
  if (ids.length === 0) return [];
  const propertyArgs = properties.flatMap((property) => ['-p', property]);
  const shown = await execute('loginctl', ['show-session', ...propertyArgs, ...ids], timeoutMs);
  return (shown ?? '').split('\n\n').map(readProperties);
}

const seatProperties = ['Type', 'Active', 'Seat', 'Display', 'User', 'LockedHint'] as const;

/** Active: visible on its seat. LockedHint: the state that the screen locker reports. */
export type Login = Partial<Record<(typeof seatProperties)[number], string>>;

/** If the login manager takes longer, its information is not used. */
const loginsTimeoutMs = 1_000;

/** What the login manager knows about who is at the device; rejects if none answers in time. */
export const readSeatLogins = (execute: Execute, timeoutMs: number): Promise<Login[]> =>
  loginsOf(execute, seatProperties, timeoutMs);

/** The same; empty if none answers in time. */
export const seatLogins = (execute: Execute): Promise<Login[]> =>
  readSeatLogins(execute, loginsTimeoutMs).catch(() => []);

/** The rank of a desktop that belongs to no known login. */
const unknownRank = 3;

/** How likely a person sees a desktop that belongs to these logins; 0 is the most likely. */
export const rankOf = (logins: readonly Login[]): number => Math.min(unknownRank, ...logins.map(loginRank));

/** Remote logins have no seat; of the logins that share a seat, only the active one is visible. */
function loginRank({ Active, Seat }: Login): number {
  if (Active !== 'yes') return 2;
  return Seat ? 0 : 1;
}

const graphicalTypes: ReadonlySet<string | undefined> = new Set(['x11', 'wayland', 'mir']);

/** Whether a person can sit in front of it; a desktop that was started from a text console belongs to the login of that console. */
export const isAtScreen = ({ Type, Seat }: Login): boolean =>
  graphicalTypes.has(Type) || (Type === 'tty' && Boolean(Seat));

const readProperties = <Property extends string>(block: string): Partial<Record<Property, string>> =>
  Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  ) as Partial<Record<Property, string>>;
