/** A question to the server that is asked again and again: its newest answer, and why it could not be had the last time. */
import { signal } from '@preact/signals';
import type { ApiRequestOptions } from './api.ts';
import { createRefreshScheduler } from './pace.ts';
import type { Resource } from './resource.ts';
import { isTemporaryFailure } from './refusal.ts';

export interface Question<Value> extends Resource<Value> {
  /** Something changed: asks soon. */
  changed(): void;
  close(): void;
}

export interface Pacing {
  now(): number;
  minPauseMs?: number;
}

export function createQuestion<Value>(
  load: (options: ApiRequestOptions) => Promise<Value>,
  timing: Pacing,
): Question<Value> {
  const value = signal<Value | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const closing = new AbortController();
  /** Set when somebody waits for the next answer. */
  let isByHand = false;

  async function refresh(): Promise<void> {
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
      if (isTemporaryFailure(problem)) scheduler.schedule();
      throw problem;
    }
  }
  const scheduler = createRefreshScheduler({ refresh, ...timing });
  const reload = ({ background = false }: ApiRequestOptions = {}): Promise<void> => {
    isByHand ||= !background;
    return scheduler.runNow();
  };
  void reload();
  return {
    value,
    error,
    reload,
    changed: () => scheduler.schedule(),
    close() {
      closing.abort();
      scheduler.close();
    },
  };
}
