/** A semaphore that admits a limited number at once; the others wait in order. */
export interface Semaphore {
  /** Resolves with a function that releases the permit; calling it twice has no further effect. */
  acquire(): Promise<() => void>;
}

export function createSemaphore(max: number): Semaphore {
  const waiting: (() => void)[] = [];
  let active = 0;
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else active--;
  };
  return {
    async acquire() {
      if (active < max) active++;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      let isReleased = false;
      return () => {
        if (!isReleased) release();
        isReleased = true;
      };
    },
  };
}
