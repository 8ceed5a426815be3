/** Checks that screens are locked, because the login manager only forwards the request and reports no failure. */
import { setTimeout } from 'node:timers/promises';
import type { Execute } from '../execute.ts';
import { NotPossible } from '../platform.ts';
import { loginsOf } from './inventory/logins.ts';

/** A clock in milliseconds. */
export interface PollClock {
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const [lockTimeoutMs, pollMs, commandTimeoutMs] = [2_000, 200, 500];
/** Active: the session is visible on its seat. LockedHint: the state that the screen locker reports. */
const properties = ['Type', 'Class', 'Active', 'LockedHint'] as const;
type LoginSession = Partial<Record<(typeof properties)[number], string>>;
const graphical: ReadonlySet<string | undefined> = new Set(['x11', 'wayland', 'mir']);
const realClock: PollClock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };

/** Resolves when all visible sessions are locked, or if the system does not report that. */
export async function waitUntilLocked(
  execute: Execute,
  { now, pause }: PollClock = realClock,
): Promise<void> {
  const end = now() + lockTimeoutMs;
  for (;;) {
    const sessions = await loginsOf(execute, properties, commandTimeoutMs).catch(() => undefined);
    if (!sessions) return;
    const visible = visibleSessions(sessions);
    if (visible.length === 0) throw new NotPossible('Nobody is logged in at a screen of this device.');
    if (visible.every(({ LockedHint }) => LockedHint !== 'no')) return;
    if (now() >= end)
      throw new NotPossible(
        'Nothing on the device has reported that it locked the screen: perhaps no screen locker runs there.',
      );
    await pause(pollMs);
  }
}

/** Returns the visible graphical sessions of users; all graphical ones if the system does not report which are visible. */
function visibleSessions(sessions: readonly LoginSession[]): readonly LoginSession[] {
  const all = sessions.filter(({ Type, Class }) => graphical.has(Type) && Class === 'user');
  const active = all.filter(({ Active }) => Active === 'yes');
  return active.length > 0 ? active : all;
}
