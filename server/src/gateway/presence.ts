/** The leases of the devices on this node: taken, renewed and given back in groups, never one by one. */
import type { Store } from '../store/store.ts';

export interface Presence {
  arrived(agentId: number): void;
  left(agentId: number): void;
  /** Gives every lease of this node back. */
  close(): Promise<void>;
}

interface Fleet {
  /** The devices whose sockets are open. */
  online(): Iterable<number>;
  /** Devices that are not in the store any more, though they are here. */
  onUnlinked(ids: readonly number[]): void;
}

export const leaseSeconds = 30;
const renewEveryMs = 10_000;
const gatherMs = 100;
/** After how long something is tried again that the store did not take. */
const againMs = 1_000;
/** How many leases one change renews: databases take only so many values at once. */
const mostAtOnce = 2_000;

export function createPresence(store: Store, node: string, { online, onUnlinked }: Fleet): Presence {
  const [coming, going] = [new Set<number>(), new Set<number>()];
  let gathering: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const renew = async (ids: readonly number[]): Promise<void> => {
    for (let first = 0; first < ids.length; first += mostAtOnce) {
      const agents = ids.slice(first, first + mostAtOnce).map((id) => ({ id }));
      const { gone } = await store.change('presence/renew', {
        node,
        agents,
        leaseUntil: store.now() + leaseSeconds,
      });
      if (gone.length > 0) onUnlinked(gone);
    }
  };
  const end = async (ids: readonly number[]): Promise<void> => {
    for (let first = 0; first < ids.length; first += mostAtOnce)
      await store.change('presence/end', { node, ids: ids.slice(first, first + mostAtOnce) });
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
  const inTurn = (work: () => Promise<unknown>, onFailed: () => void = () => {}): void => {
    last = last.then(work).catch(onFailed);
  };
  /** Those of them who are here, or are not, by now: what others did since then is not undone. */
  const still = (ids: readonly number[], isHere: boolean): number[] => {
    const here = new Set(online());
    return ids.filter((id) => here.has(id) === isHere);
  };
  const flush = (): void => {
    gathering = undefined;
    const [arrived, gone] = [[...coming], [...going]];
    coming.clear();
    going.clear();
    inTurn(
      () => renew(arrived),
      () => again(coming, still(arrived, true)),
    );
    inTurn(
      () => end(gone),
      () => again(going, still(gone, false)),
    );
  };
  const gather = (afterMs = gatherMs): void => {
    if (!closed) gathering ??= setTimeout(flush, afterMs);
  };
  const again = (kept: Set<number>, ids: readonly number[]): void => {
    for (const id of ids) kept.add(id);
    gather(againMs);
  };
  const timer = setInterval(() => inTurn(extend), renewEveryMs);

  return {
    arrived(agentId) {
      going.delete(agentId);
      coming.add(agentId);
      gather();
    },
    left(agentId) {
      coming.delete(agentId);
      going.add(agentId);
      gather();
    },
    async close() {
      closed = true;
      clearInterval(timer);
      clearTimeout(gathering);
      inTurn(() => store.change('presence/release', { node }));
      await last;
    },
  };
}
