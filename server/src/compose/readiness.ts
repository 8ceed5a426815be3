/** Whether this server is ready: it can store changes. */
import type { Store } from '../store/store.ts';

/** A success is valid for this long, so that monitors and attackers cause few writes. */
const validForMs = 1_000;
/** A database that takes longer counts as away. */
const answerWithinMs = 1_000;

export function createReadiness(store: Store): () => Promise<boolean> {
  let validUntil = -Infinity;
  let running: Promise<boolean> | undefined;
  const probe = async (): Promise<boolean> => {
    const isStored = await store.ping().then(
      () => true,
      () => false,
    );
    if (isStored) validUntil = performance.now() + validForMs;
    running = undefined;
    return isStored;
  };
  return async () => performance.now() < validUntil || orFalseAfter((running ??= probe()), answerWithinMs);
}

async function orFalseAfter(answer: Promise<boolean>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  const first = await Promise.race([answer, late]);
  clearTimeout(timer);
  return first;
}
