/** A gate that lets through only so many at once; the others wait in the order they came. */
export interface Gate {
  /** Resolves when there is room, with how to give it back; giving it back twice is giving it back once. */
  enter(): Promise<() => void>;
}

export function createGate(most: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  };
  return {
    async enter() {
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
