/** Whether screens are locked: the login manager only passes the wish on, and says nothing where nobody hears it. */
import { setTimeout } from 'node:timers/promises';
import type { Execute } from '../execute.ts';
import { NotPossible } from '../platform.ts';
import { loginsOf } from './inventory/logins.ts';

/** How time passes, in milliseconds. */
export interface PollClock {
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const [lockTimeoutMs, pollMs, commandTimeoutMs] = [2_000, 200, 500];
/** Active: whether it is the one that is seen on its seat. LockedHint: what the locker says of itself. */
const properties = ['Type', 'Class', 'Active', 'LockedHint'] as const;
type LoginSession = Partial<Record<(typeof properties)[number], string>>;
const graphical: ReadonlySet<string | undefined> = new Set(['x11', 'wayland', 'mir']);
const realClock: PollClock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };

/** Resolves when those who are at a screen are locked out, or when the system does not tell. */
export async function waitUntilLocked(
  execute: Execute,
  { now, pause }: PollClock = realClock,
): Promise<void> {
  const end = now() + lockTimeoutMs;
  for (;;) {
    const sessions = await loginsOf(execute, properties, commandTimeoutMs).catch(() => undefined);
    if (!sessions) return;
    const shown = shownOf(sessions);
    if (shown.length === 0) throw new NotPossible('Nobody is logged in at a screen of this device.');
    if (shown.every(({ LockedHint }) => LockedHint !== 'no')) return;
    if (now() >= end)
      throw new NotPossible(
        'Nothing on the device has reported that it locked the screen: perhaps no screen locker runs there.',
      );
    await pause(pollMs);
  }
}

/** The graphical sessions of people that are seen; where the system does not say which, all of them. */
function shownOf(sessions: readonly LoginSession[]): readonly LoginSession[] {
  const all = sessions.filter(({ Type, Class }) => graphical.has(Type) && Class === 'user');
  const seen = all.filter(({ Active }) => Active === 'yes');
  return seen.length > 0 ? seen : all;
}
