/** Questions under way to a browser, each with a number that comes back with its answer. */

export interface Questions {
  /** `put` sends the question with its number; resolves with what is answered. */
  ask<Result>(put: (id: number) => void): Promise<Result>;
  answer(id: number, answered: { result: unknown } | { error: Error }): void;
  /** Nothing will be answered any more. */
  hangUp(): void;
}

export function createQuestions(): Questions {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  return {
    ask<Result>(put: (id: number) => void) {
      const question = Promise.withResolvers<unknown>();
      const id = ++asked;
      waiting.set(id, question);
      put(id);
      return question.promise as Promise<Result>;
    },
    answer(id, answered) {
      const question = waiting.get(id);
      waiting.delete(id);
      if ('error' in answered) question?.reject(answered.error);
      else question?.resolve(answered.result);
    },
    hangUp() {
      for (const { reject } of waiting.values()) reject(new Error('the browser has ended'));
      waiting.clear();
    },
  };
}
