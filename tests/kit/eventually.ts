/** Waiting for a condition: polls until the answer fits, and reports the last answer if it never does. */
import { startStopwatch } from './stopwatch.ts';

/** Long enough to leave the processor to the code that is waited for. */
const intervalMs = 10;

/** Longer than anything takes on a busy machine: it only keeps a test from hanging. */
const defaultTimeoutMs = 120_000;

/**
 * With `withinMs` the condition must hold by then; time during which the machine did not schedule this
 * process does not count.
 */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  fits: (value: T) => boolean,
  withinMs = defaultTimeoutMs,
): Promise<T> {
  using watch = startStopwatch();
  for (;;) {
    const value = await ask();
    if (fits(value)) return value;
    if (watch.ms() > withinMs)
      throw new Error(
        `it did not come true within ${withinMs} ms: ${JSON.stringify(value)?.slice(0, 2_000)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
