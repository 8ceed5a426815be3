/** A question to the server that is asked again and again: its newest answer, and why it could not be had the last time. */
import { signal } from '@preact/signals';
import type { ApiRequestOptions } from './api.ts';
import { createRefreshScheduler } from './refresh-scheduler.ts';
import type { Resource } from './resource-types.ts';
import { isTemporaryFailure } from './panel-api-error.ts';

export interface RefreshableResource<Value> extends Resource<Value> {
  /** Something changed: asks soon. */
  invalidate(): void;
  close(): void;
}

export interface RefreshTiming {
  now(): number;
  minPauseMs?: number;
}

export function createRefreshableResource<Value>(
  load: (options: ApiRequestOptions) => Promise<Value>,
  timing: RefreshTiming,
): RefreshableResource<Value> {
  const value = signal<Value | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const controller = new AbortController();
  /** Set when somebody waits for the next answer. */
  let isForeground = false;

  async function refresh(): Promise<void> {
    const options = { signal: controller.signal, ...(!isForeground && { background: true }) };
    isForeground = false;
    try {
      const loaded = await load(options);
      if (controller.signal.aborted) return;
      value.value = loaded;
      error.value = undefined;
    } catch (problem) {
      if (controller.signal.aborted) return;
      error.value = problem;
      if (isTemporaryFailure(problem)) scheduler.schedule();
      throw problem;
    }
  }
  const scheduler = createRefreshScheduler({ refresh, ...timing });
  const reload = ({ background = false }: ApiRequestOptions = {}): Promise<void> => {
    isForeground ||= !background;
    return scheduler.runNow();
  };
  void reload();
  return {
    value,
    error,
    reload,
    invalidate: () => scheduler.schedule(),
    close() {
      controller.abort();
      scheduler.close();
    },
  };
}
