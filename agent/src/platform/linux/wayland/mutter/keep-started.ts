/** Starts something of Mutter again after Mutter has ended it, for example because the screen was locked. */

export const restartDelayMs = 1_000;

/**
 * `start` returns how to end it, and calls `onClosed` when Mutter has ended it. The returned function ends it for good.
 * If the first start fails, this rejects, and nothing is started again.
 */
export async function keepStarted(start: (onClosed: () => void) => Promise<() => void>): Promise<() => void> {
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  const startAgain = async (): Promise<void> => {
    try {
      const next = await start(again);
      if (isOpen) stop = next;
      else next();
    } catch {
      again();
    }
  };
  const again = (): void => {
    clearTimeout(timer);
    if (isOpen) timer = setTimeout(() => void startAgain(), restartDelayMs).unref();
  };
  let stop = (): void => {};
  const end = (): void => {
    isOpen = false;
    clearTimeout(timer);
    stop();
  };
  try {
    stop = await start(again);
  } catch (error) {
    end();
    throw error;
  }
  return end;
}
