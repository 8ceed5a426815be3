/** Notices when the screen of a person is locked, as far as their screen locker tells the login manager. */
import { execute } from '../execute.ts';
import { followLogins } from './inventory/follow-logins.ts';
import { isAtScreen, seatLogins, type Login } from './inventory/logins.ts';

/** Not every screen locker reports to the login manager (`LockedHint`). */
const isLockedIn = (logins: readonly Login[], uid: number): boolean =>
  logins.some((login) => login.User === String(uid) && login.LockedHint === 'yes' && isAtScreen(login));

/** Whether the login manager says so. */
export const isScreenLocked = async (uid: number): Promise<boolean> =>
  isLockedIn(await seatLogins(execute), uid);

/** Calls back if it is locked now, and each time it is locked. The returned function stops watching. */
export function watchLock(uid: number, onLocked: () => void): () => void {
  let wasLocked = false;
  const { stop } = followLogins((logins) => {
    const isLocked = isLockedIn(logins, uid);
    if (isLocked && !wasLocked) onLocked();
    wasLocked = isLocked;
  });
  return stop;
}
