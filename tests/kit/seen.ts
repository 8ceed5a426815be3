/** Waiting for something to come true: asks until the answer fits, and says what it was when it never does. */

/** Far apart enough to leave the processor to those who are waited for. */
const everyMs = 10;

export async function seen<T>(
  ask: () => Promise<T> | T,
  fits: (value: T) => boolean,
  withinMs = 10_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (fits(value)) return value;
    if (performance.now() > end)
      throw new Error(
        `it did not come true within ${withinMs} ms: ${JSON.stringify(value)?.slice(0, 2_000)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
