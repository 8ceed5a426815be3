/** Server data that a page shows, loaded again whenever the server reports a change. */
import { computed } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Topic } from '@drawbridge/contract/panel/events';
import type { ApiRequestOptions } from './api.ts';
import { subscribeToTopic } from './event-stream.ts';
import { createRefreshableResource, type RefreshableResource } from './refreshable-resource.ts';
import type { Resource } from './resource-types.ts';

export interface SubscriptionOptions {
  /** Whether a change of these records of the topic requires a reload. */
  isRelevant?: (ids: readonly number[], topic: Topic) => boolean;
  /** The minimum pause between two loads, for expensive queries. */
  minPauseMs?: number;
}

function createResource<Value>(
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

/** A resource that is closed when its component unmounts; another `key` creates another resource. */
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

/** For a list that is searched, filtered or paged: keeps the previous value until the next one is loaded or fails. */
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
