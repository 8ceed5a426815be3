/** Runs work with the same key one after the other, in order; work with different keys runs concurrently. */
export interface KeyedQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
      const task = (tails.get(key) ?? Promise.resolve()).then(work, work);
      tails.set(key, task);
      try {
        return await task;
      } finally {
        if (tails.get(key) === task) tails.delete(key);
      }
    },
  };
}
