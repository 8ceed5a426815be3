/** The bus inside one process. */
import type { Bus } from './bus.ts';

export function memoryBus(): Bus {
  const listeners = new Map<string, Set<(message: unknown) => void>>();
  const answers = new Map<string, (message: unknown) => Promise<unknown>>();
  return {
    publish: (subject, message) => listeners.get(subject)?.forEach((listener) => listener(message)),
    subscribe(subject, listener) {
      const set = listeners.get(subject) ?? new Set();
      listeners.set(subject, set.add(listener));
      return () => void set.delete(listener);
    },
    async request(subject, message, limitMs) {
      const answer = answers.get(subject);
      if (!answer) return undefined;
      const limit = Promise.withResolvers<undefined>();
      const timer = setTimeout(limit.resolve, limitMs, undefined);
      return Promise.race([answer(message), limit.promise]).finally(() => clearTimeout(timer));
    },
    answer(subject, answer) {
      answers.set(subject, answer);
      return () => void (answers.get(subject) === answer && answers.delete(subject));
    },
    onGap: () => {}, // nothing is ever lost inside one process
    close: async () => {
      listeners.clear();
      answers.clear();
    },
  };
}
