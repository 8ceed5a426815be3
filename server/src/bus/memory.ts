/** The bus inside one process. It copies messages as if they were sent over a network, so that it behaves like the others. */
import { runAndReport, type OnBusFailure } from './run-and-report.ts';
import { busTimeout, noResponder, notMine, type Bus } from './bus.ts';

const copyOf = (message: unknown): unknown => JSON.parse(JSON.stringify(message ?? null)) ?? undefined;

const resultOf = (answer: unknown): unknown => (answer === notMine ? noResponder : copyOf(answer));

export function createMemoryBus(onFailure: OnBusFailure = () => {}): Bus {
  const listeners = new Map<string, Set<(message: unknown) => void>>();
  const answers = new Map<string, (message: unknown) => Promise<unknown>>();
  return {
    publish: (subject, message) =>
      listeners.get(subject)?.forEach((listener) => runAndReport(() => listener(copyOf(message)), onFailure)),
    subscribe(subject, listener) {
      const subscribers = listeners.get(subject) ?? new Set();
      listeners.set(subject, subscribers.add(listener));
      return () => void subscribers.delete(listener);
    },
    async request(subject, message, timeoutMs) {
      const answer = answers.get(subject);
      if (!answer) return noResponder;
      const timeout = Promise.withResolvers<typeof busTimeout>();
      const timer = setTimeout(timeout.resolve, timeoutMs, busTimeout);
      const answered = Promise.try(() => answer(copyOf(message)))
        .then(resultOf)
        .catch(() => undefined);
      return Promise.race([answered, timeout.promise]).finally(() => clearTimeout(timer));
    },
    answer(subject, answer) {
      answers.set(subject, answer);
      return () => void (answers.get(subject) === answer && answers.delete(subject));
    },
    onGap: () => {}, // no message is lost inside one process
    close: async () => {
      listeners.clear();
      answers.clear();
    },
  };
}
