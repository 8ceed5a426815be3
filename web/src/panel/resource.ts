/** Something of the server that a page shows: loading, there, or refused; and asked for anew when it changes. */
import { signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Topic } from '@drawbridge/contract/panel/events';
import type { Asking } from './api.ts';
import { hear } from './live.ts';

export interface Resource<Value> {
  value: ReadonlySignal<Value | undefined>;
  /** Why it could not be had the last time; what was there before stays shown. */
  error: ReadonlySignal<unknown>;
  /** Asks again now. */
  reload(asking?: Asking): Promise<void>;
}

interface Kept<Value> extends Resource<Value> {
  close(): void;
}

/** Whether a change of some of what a topic speaks of matters here; the ids are of that topic. */
export type Concerns = (ids: readonly number[], topic: Topic) => boolean;

/** Changes that come quickly one after the other are asked for once. */
const gatherMs = 150;

export function createResource<Value>(
  load: (asking: Asking) => Promise<Value>,
  topics: readonly Topic[] = [],
  concerns: Concerns = () => true,
): Kept<Value> {
  const value = signal<Value | undefined>(undefined);
  const error = signal<unknown>(undefined);
  let turn = 0;
  let gathering: ReturnType<typeof setTimeout> | undefined;

  async function ask(asking: Asking): Promise<void> {
    const mine = (turn += 1);
    try {
      const loaded = await load(asking);
      if (mine !== turn) return; // a later question is under way
      value.value = loaded;
      error.value = undefined;
    } catch (problem) {
      if (mine === turn) error.value = problem;
    }
  }
  const later = (topic: Topic, ids: readonly number[] | undefined): void => {
    if (ids && !concerns(ids, topic)) return;
    gathering ??= setTimeout(() => {
      gathering = undefined;
      void ask({ background: true });
    }, gatherMs);
  };
  const deaf = topics.map((topic) => hear(topic, (ids) => later(topic, ids)));
  void ask({});
  return {
    value,
    error,
    reload: (asking = {}) => ask(asking),
    close() {
      turn = -1;
      clearTimeout(gathering);
      deaf.forEach((stop) => stop());
    },
  };
}

/** A resource that lives as long as the page that shows it; `key` says when it is another one. */
export function useResource<Value>(
  key: string,
  load: (asking: Asking) => Promise<Value>,
  topics: readonly Topic[] = [],
  concerns?: Concerns,
): Resource<Value> {
  const resource = useMemo(() => createResource(load, topics, concerns), [key]);
  useEffect(() => () => resource.close(), [resource]);
  return resource;
}
