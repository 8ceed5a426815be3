/** The bus inside one process. What it carries is copied as if it had gone over a wire, so that it is like every other. */
import type { Bus } from './bus.ts';

const copyOf = (message: unknown): unknown => JSON.parse(JSON.stringify(message ?? null)) ?? undefined;

export function createMemoryBus(): Bus {
  const listeners = new Map<string, Set<(message: unknown) => void>>();
  const answers = new Map<string, (message: unknown) => Promise<unknown>>();
  return {
    publish: (subject, message) => listeners.get(subject)?.forEach((listener) => listener(copyOf(message))),
    subscribe(subject, listener) {
      const set = listeners.get(subject) ?? new Set();
      listeners.set(subject, set.add(listener));
      return () => void set.delete(listener);
    },
    async request(subject, message, timeoutMs) {
      const answer = answers.get(subject);
      if (!answer) return undefined;
      const limit = Promise.withResolvers<undefined>();
      const timer = setTimeout(limit.resolve, timeoutMs, undefined);
      const answered = answer(copyOf(message)).then(copyOf, () => undefined);
      return Promise.race([answered, limit.promise]).finally(() => clearTimeout(timer));
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
