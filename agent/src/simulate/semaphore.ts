/** A gate that lets through only so many at once; the others wait in the order they came. */
export interface Semaphore {
  /** Resolves when there is room, with how to give it back; giving it back twice is giving it back once. */
  acquire(): Promise<() => void>;
}

export function createSemaphore(most: number): Semaphore {
  const waiting: (() => void)[] = [];
  let inside = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  };
  return {
    async acquire() {
      if (inside < most) inside++;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
  };
}
