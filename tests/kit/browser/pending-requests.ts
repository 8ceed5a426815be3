/** Pending requests to a browser, each with an id that comes back with its answer. */

export interface PendingRequests {
  /** `put` sends the request with its id; resolves with the answer. */
  ask<Result>(put: (id: number) => void): Promise<Result>;
  answer(id: number, answered: { result: unknown } | { error: Error }): void;
  /** Rejects every pending and future request. */
  hangUp(): void;
}

export function createPendingRequests(): PendingRequests {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  return {
    ask<Result>(put: (id: number) => void) {
      const pending = Promise.withResolvers<unknown>();
      const id = ++asked;
      waiting.set(id, pending);
      put(id);
      return pending.promise as Promise<Result>;
    },
    answer(id, answered) {
      const pending = waiting.get(id);
      waiting.delete(id);
      if ('error' in answered) pending?.reject(answered.error);
      else pending?.resolve(answered.result);
    },
    hangUp() {
      for (const { reject } of waiting.values()) reject(new Error('the browser has ended'));
      waiting.clear();
    },
  };
}
