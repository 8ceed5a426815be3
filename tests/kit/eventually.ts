/** Waiting for something to come true: asks until the answer fits, and says what it was when it never does. */
import { startStopwatch } from './stopwatch.ts';

/** Far apart enough to leave the processor to those who are waited for. */
const intervalMs = 10;

/** Longer than anything takes on a busy machine: it only keeps a test from hanging. */
const defaultTimeoutMs = 120_000;

/** With `withinMs` it must come true by then; the time in which the machine had no turn for anybody here does not count. */
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
