/** Work on the same thing one after the other, in the order it came; work on different things does not wait. */
export interface Turns {
  take<T>(what: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(what, work) {
      const mine = (last.get(what) ?? Promise.resolve()).then(work, work);
      last.set(what, mine);
      try {
        return await mine;
      } finally {
        if (last.get(what) === mine) last.delete(what);
      }
    },
  };
}
