/** Data of the server that is loaded repeatedly: holds the newest value and the error of the last attempt. */
import { signal, type Signal } from '@preact/signals';
import type { ApiRequestOptions } from './api.ts';
import { createRefreshScheduler } from './refresh-scheduler.ts';
import type { Resource } from './resource-types.ts';
import { isTemporaryFailure } from './panel-api-error.ts';

export interface RefreshableResource<Value> extends Resource<Value> {
  /** Schedules a reload because the data changed. */
  invalidate(): void;
  close(): void;
}

export interface RefreshTiming {
  now(): number;
  minPauseMs?: number;
}

interface State<Value> {
  load: (options: ApiRequestOptions) => Promise<Value>;
  value: Signal<Value | undefined>;
  error: Signal<unknown>;
  controller: AbortController;
  /** Set when a user waits for the next load. */
  isForeground: boolean;
}

/** Loads the data once; throws on failure, so that the scheduler pauses. */
async function refresh<Value>(state: State<Value>, retry: () => void): Promise<void> {
  const { signal: abortSignal } = state.controller;
  const options = { signal: abortSignal, ...(!state.isForeground && { background: true }) };
  state.isForeground = false;
  try {
    const loaded = await state.load(options);
    if (abortSignal.aborted) return;
    state.value.value = loaded;
    state.error.value = undefined;
  } catch (problem) {
    if (abortSignal.aborted) return;
    state.error.value = problem;
    if (isTemporaryFailure(problem)) retry();
    throw problem;
  }
}

export function createRefreshableResource<Value>(
  load: (options: ApiRequestOptions) => Promise<Value>,
  timing: RefreshTiming,
): RefreshableResource<Value> {
  const state: State<Value> = {
    load,
    value: signal<Value | undefined>(undefined),
    error: signal<unknown>(undefined),
    controller: new AbortController(),
    isForeground: false,
  };
  const scheduler = createRefreshScheduler({
    refresh: () => refresh(state, () => scheduler.schedule()),
    ...timing,
  });
  const reload = ({ background = false }: ApiRequestOptions = {}): Promise<void> => {
    state.isForeground ||= !background;
    return scheduler.runNow();
  };
  void reload();
  return {
    value: state.value,
    error: state.error,
    reload,
    invalidate: () => scheduler.schedule(),
    close() {
      state.controller.abort();
      scheduler.close();
    },
  };
}
