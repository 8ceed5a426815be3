/**
 * A lock between the tabs of one browser, which share one session cookie: tabs can wait while one of them replaces
 * it.
 */

const lockName = 'drawbridge.cookie';

/** Holds the lock exclusively until `work` is done. */
export const withCookieLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(lockName, work);

/** Runs `work` once no tab is replacing the cookie. */
export const withSharedCookieLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(lockName, { mode: 'shared' }, work);
