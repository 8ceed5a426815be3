/** Queries whose answer may be outdated when it arrives, because what they ask about has changed meanwhile. */

/** Runs a query again only after the last one was answered, so that many changes in between cause only one query. */
export function coalesceQueries(query: () => Promise<void>): () => void {
  let [isRunning, isRequestedAgain] = [false, false];
  const run = async (): Promise<void> => {
    isRequestedAgain = isRunning;
    if (isRunning) return;
    isRunning = true;
    // The loss of what is asked is reported by its own connection.
    await query().catch(() => undefined);
    isRunning = false;
    if (isRequestedAgain) await run();
  };
  return () => void run();
}
