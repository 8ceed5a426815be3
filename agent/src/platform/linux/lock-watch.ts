/** Notices when the screen of a person is locked, as far as their screen locker tells the login manager. */
import { execute } from '../execute.ts';
import { coalesceQueries } from '../helper/coalesce-queries.ts';
import { watchLogins } from './wayland/dbus/login-signals.ts';
import { isAtScreen, patientTimeoutMs, seatLogins } from './inventory/logins.ts';

/** Whether the login manager says so: not every screen locker reports to it (`LockedHint`). */
export async function isScreenLocked(uid: number, timeoutMs?: number): Promise<boolean> {
  const logins = await seatLogins(execute, timeoutMs);
  return logins.some(
    (login) => login.User === String(uid) && login.LockedHint === 'yes' && isAtScreen(login),
  );
}

/** Calls back if it is locked now, and each time it is locked. The returned function stops watching. */
export function watchLock(uid: number, onLocked: () => void): () => void {
  let [wasLocked, isStopped] = [false, false];
  const check = coalesceQueries(async () => {
    const isLocked = await isScreenLocked(uid, patientTimeoutMs);
    if (isStopped) return;
    if (isLocked && !wasLocked) onLocked();
    wasLocked = isLocked;
  });
  const stop = watchLogins(check);
  return () => {
    isStopped = true;
    stop();
  };
}
