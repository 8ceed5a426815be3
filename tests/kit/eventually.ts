/** Asks until the answer fits: for what the service does in its own time, after it has answered. */
export async function eventually<T>(ask: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 2_000; tries++) {
    const value = await ask();
    if (fits(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('it never came true');
}
