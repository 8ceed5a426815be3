/** Asks the login manager who is signed in whenever that may have changed, and again later if it does not answer. */
import { execute } from '../../execute.ts';
import { coalesceQueries } from '../../helper/coalesce-queries.ts';
import { readSeatLogins, type Login } from './logins.ts';
import { watchLogins } from '../wayland/dbus/login-signals.ts';

/** Nobody waits for the answer. */
const timeoutMs = 30_000;
/** A device may have no login manager that answers, so the time until the next question doubles. */
const [firstRetryMs, maxRetryMs] = [2_000, 60_000];

interface FollowedLogins {
  /** Asks once more, for a reason of the caller's own. */
  ask(): void;
  stop(): void;
}

/** Says nothing while the login manager does not answer: who was signed in before may still be. */
export function followLogins(onLogins: (logins: readonly Login[]) => void | Promise<void>): FollowedLogins {
  let [isStopped, retryMs] = [false, firstRetryMs];
  let timer: NodeJS.Timeout | undefined;
  const ask = coalesceQueries(async () => {
    clearTimeout(timer);
    try {
      const logins = await readSeatLogins(execute, timeoutMs);
      if (!isStopped) await onLogins(logins);
      retryMs = firstRetryMs;
    } catch {
      if (isStopped) return;
      timer = setTimeout(ask, retryMs).unref();
      retryMs = Math.min(maxRetryMs, retryMs * 2);
    }
  });
  const stopSignals = watchLogins(ask);
  return {
    ask,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      stopSignals();
    },
  };
}
