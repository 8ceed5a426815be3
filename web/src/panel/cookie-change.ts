/** Tabs of one browser share one cookie: while one of them is being given another, the rest can wait for it. */

const lock = 'drawbridge.cookie';

/** Lets the others wait until this is done. */
export const alone = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(lock, work);

/** Waits until no tab is being given a cookie. */
export const whenAlone = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request(lock, { mode: 'shared' }, work);
