/** The leases of the devices on this node: taken, renewed and given back in groups, never one by one. */
import type { Store } from '../../store/store.ts';

export interface Presence {
  arrived(agentId: number): void;
  left(agentId: number): void;
  /** Gives every lease of this node back. */
  close(): Promise<void>;
}

interface ConnectedDevices {
  /** The devices whose sockets are open. */
  online(): Iterable<number>;
  /** Devices that are not in the store any more, though they are here. */
  onUnlinked(ids: readonly number[]): void;
}

export const leaseSeconds = 30;
const renewEveryMs = 10_000;
const flushDelayMs = 100;
/** After how long something is tried again that the store did not take. */
const retryDelayMs = 1_000;
/** How many leases one change renews: databases take only so many values at once. */
const batchSize = 2_000;

export function createPresence(
  store: Store,
  node: string,
  { online, onUnlinked }: ConnectedDevices,
): Presence {
  const [pendingRenewals, pendingEnds] = [new Set<number>(), new Set<number>()];
  let flushTimer: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  const renew = async (ids: readonly number[]): Promise<void> => {
    for (let first = 0; first < ids.length; first += batchSize) {
      const agents = ids.slice(first, first + batchSize).map((id) => ({ id }));
      const { gone } = await store.change('presence/renew', {
        node,
        agents,
        leaseUntil: store.now() + leaseSeconds,
      });
      if (gone.length > 0) onUnlinked(gone);
    }
  };
  const end = async (ids: readonly number[]): Promise<void> => {
    for (let first = 0; first < ids.length; first += batchSize)
      await store.change('presence/end', { node, ids: ids.slice(first, first + batchSize) });
  };
  /**
   * In one statement. Whoever is missing then was unlinked, or his lease ran out while this process was held up; whoever
   * is there without being here has left unnoticed, and would stay online for ever.
   */
  const extend = async (): Promise<void> => {
    const extended = await store.change('presence/extend', { node, leaseUntil: store.now() + leaseSeconds });
    const [held, here] = [new Set(extended.held), new Set(online())];
    await renew([...here.difference(held)]);
    await end([...held.difference(here)]);
  };
  // One after the other, so that a device that left is not brought back by what was gathered before.
  const enqueue = (work: () => Promise<unknown>, onFailed: () => void = () => {}): void => {
    queue = queue.then(work).catch(onFailed);
  };
  /** Those of them who are here, or are not, by now: what others did since then is not undone. */
  const filterByPresence = (ids: readonly number[], isHere: boolean): number[] => {
    const here = new Set(online());
    return ids.filter((id) => here.has(id) === isHere);
  };
  const flush = (): void => {
    flushTimer = undefined;
    const [arrived, gone] = [[...pendingRenewals], [...pendingEnds]];
    pendingRenewals.clear();
    pendingEnds.clear();
    enqueue(
      () => renew(arrived),
      () => retry(pendingRenewals, filterByPresence(arrived, true)),
    );
    enqueue(
      () => end(gone),
      () => retry(pendingEnds, filterByPresence(gone, false)),
    );
  };
  const scheduleFlush = (afterMs = flushDelayMs): void => {
    if (!closed) flushTimer ??= setTimeout(flush, afterMs);
  };
  const retry = (pending: Set<number>, ids: readonly number[]): void => {
    for (const id of ids) pending.add(id);
    scheduleFlush(retryDelayMs);
  };
  const timer = setInterval(() => enqueue(extend), renewEveryMs);

  return {
    arrived(agentId) {
      pendingEnds.delete(agentId);
      pendingRenewals.add(agentId);
      scheduleFlush();
    },
    left(agentId) {
      pendingRenewals.delete(agentId);
      pendingEnds.add(agentId);
      scheduleFlush();
    },
    async close() {
      closed = true;
      clearInterval(timer);
      clearTimeout(flushTimer);
      enqueue(() => store.change('presence/release', { node }));
      await queue;
    },
  };
}
