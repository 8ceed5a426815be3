/** Tabs of one browser share one cookie: while one of them is being given another, the rest can wait for it. */

const lockName = 'drawbridge.cookie';

/** Lets the others wait until this is done. */
export const withCookieLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(lockName, work);

/** Waits until no tab is being given a cookie. */
export const withSharedCookieLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(lockName, { mode: 'shared' }, work);
