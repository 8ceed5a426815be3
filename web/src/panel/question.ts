/** A question to the server that is asked again and again: its newest answer, and why it could not be had the last time. */
import { signal } from '@preact/signals';
import type { ApiRequestOptions } from './api.ts';
import { createPace } from './pace.ts';
import type { Resource } from './resource.ts';
import { isTemporaryFailure } from './refusal.ts';

export interface Question<Value> extends Resource<Value> {
  /** Something changed: asks soon. */
  changed(): void;
  close(): void;
}

export interface Pacing {
  now(): number;
  restMs?: number;
}

export function createQuestion<Value>(
  load: (options: ApiRequestOptions) => Promise<Value>,
  pacing: Pacing,
): Question<Value> {
  const value = signal<Value | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const closing = new AbortController();
  /** Set when somebody waits for the next answer. */
  let isByHand = false;

  async function ask(): Promise<void> {
    const options = { signal: closing.signal, ...(!isByHand && { background: true }) };
    isByHand = false;
    try {
      const loaded = await load(options);
      if (closing.signal.aborted) return;
      value.value = loaded;
      error.value = undefined;
    } catch (problem) {
      if (closing.signal.aborted) return;
      error.value = problem;
      if (isTemporaryFailure(problem)) pace.soon();
      throw problem;
    }
  }
  const pace = createPace({ ask, ...pacing });
  const reload = ({ background = false }: ApiRequestOptions = {}): Promise<void> => {
    isByHand ||= !background;
    return pace.atOnce();
  };
  void reload();
  return {
    value,
    error,
    reload,
    changed: () => pace.soon(),
    close() {
      closing.abort();
      pace.close();
    },
  };
}
