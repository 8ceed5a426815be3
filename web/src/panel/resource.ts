/** Something of the server that a page shows: loading, there, or refused; and asked for anew when it changes. */
import { computed } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Topic } from '@drawbridge/contract/panel/events';
import type { ApiRequestOptions } from './api.ts';
import { subscribeToTopic } from './event-stream.ts';
import { createRefreshableResource, type RefreshableResource } from './refreshable-resource.ts';
import type { Resource } from './resource-types.ts';

export interface SubscriptionOptions {
  /** Whether a change of some of what a topic speaks of matters here; the ids are of that topic. */
  isRelevant?: (ids: readonly number[], topic: Topic) => boolean;
  /** Between an answer and the next question at the least, where asking is dear. */
  minPauseMs?: number;
}

export function createResource<Value>(
  load: (options: ApiRequestOptions) => Promise<Value>,
  topics: readonly Topic[] = [],
  { isRelevant = () => true, minPauseMs }: SubscriptionOptions = {},
): RefreshableResource<Value> {
  const inner = createRefreshableResource(load, {
    now: () => performance.now(),
    ...(minPauseMs !== undefined && { minPauseMs }),
  });
  const unsubscribers = topics.map((topic) =>
    subscribeToTopic(topic, (ids) => {
      if (!ids || isRelevant(ids, topic)) inner.invalidate();
    }),
  );
  return {
    ...inner,
    close() {
      inner.close();
      unsubscribers.forEach((stop) => stop());
    },
  };
}

/** A resource that lives as long as the page that shows it; `key` says when it is another one. */
export function useResource<Value>(
  key: string,
  load: (options: ApiRequestOptions) => Promise<Value>,
  topics: readonly Topic[] = [],
  subscription: SubscriptionOptions = {},
): Resource<Value> {
  const resource = useMemo(() => createResource(load, topics, subscription), [key]);
  useEffect(() => () => resource.close(), [resource]);
  return resource;
}

/** For a list that is searched, filtered or paged: what was shown stays until the next is there, or can not be had. */
export function useKeepPrevious<Value>(resource: Resource<Value>): Resource<Value> {
  const last = useRef<Value | undefined>(undefined);
  const merged = useMemo(() => {
    const { value, error } = resource;
    const before = last.current;
    const isStale = computed(
      () => value.value === undefined && error.value === undefined && before !== undefined,
    );
    return { ...resource, value: computed(() => (isStale.value ? before : value.value)), isStale };
  }, [resource]);
  last.current = merged.value.value;
  return merged;
}
