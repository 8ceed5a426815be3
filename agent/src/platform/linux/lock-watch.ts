/** Notices when the screen of a person is locked, as far as their screen locker tells the login manager. */
import { execute } from '../execute.ts';
import { isAtScreen, seatLogins } from './inventory/logins.ts';

const watchMs = 5_000;

/** Whether the login manager says so: not every screen locker reports to it (`LockedHint`). */
export async function isScreenLocked(uid: number): Promise<boolean> {
  const logins = await seatLogins(execute);
  return logins.some(
    (login) => login.User === String(uid) && login.LockedHint === 'yes' && isAtScreen(login),
  );
}

/** Calls back if it is locked now, and each time it is locked. The returned function stops watching. */
export function watchLock(uid: number, onLocked: () => void): () => void {
  let [wasLocked, isStopped] = [false, false];
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<void> => {
    const isLocked = await isScreenLocked(uid);
    if (isStopped) return;
    if (isLocked && !wasLocked) onLocked();
    wasLocked = isLocked;
    timer = setTimeout(() => void check(), watchMs).unref();
  };
  void check();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
