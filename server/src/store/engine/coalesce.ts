/**
 * Shares long work: it runs once at a time for each key, and all callers that ask while it runs get the result of one
 * run after it.
 */

export function coalesce<Key, Result>(work: (key: Key) => Promise<Result>): (key: Key) => Promise<Result> {
  const running = new Map<Key, Promise<unknown>>();
  const next = new Map<Key, Promise<Result>>();

  function start(key: Key): Promise<Result> {
    const run = work(key);
    running.set(
      key,
      run.then(
        () => settle(key),
        () => settle(key),
      ),
    );
    return run;
  }
  /** While a run is waiting, callers join it: no other run may start beside it. */
  function settle(key: Key): void {
    if (!next.has(key)) running.delete(key);
  }

  return (key) => {
    const current = running.get(key);
    if (!current) return start(key);
    const waiting =
      next.get(key) ??
      current.then(() => {
        next.delete(key);
        return start(key);
      });
    next.set(key, waiting);
    return waiting;
  };
}
