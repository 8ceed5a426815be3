/** The leases of the devices on this node: taken, renewed and released in batches. */
import type { Log } from '../../edges/log.ts';
import type { Store } from '../../store/store.ts';

export interface Presence {
  arrived(agentId: number): void;
  left(agentId: number): void;
  /** Releases every lease of this node. */
  close(): Promise<void>;
}

interface ConnectedDevices {
  /** The devices whose WebSockets are open. */
  online(): Iterable<number>;
  /** Disconnects devices that have arrived on another node since, and returns the others. */
  keepCurrent(ids: readonly number[]): Promise<readonly number[]>;
  /** Called with connected devices that are no longer in the store. */
  onUnlinked(ids: readonly number[]): void;
}

interface PresenceDeps {
  store: Store;
  node: string;
  log: Pick<Log, 'error'>;
}

interface State extends Readonly<PresenceDeps> {
  isFailing: boolean;
  readonly devices: ConnectedDevices;
  readonly pendingRenewals: Set<number>;
  readonly pendingEnds: Set<number>;
  flushTimer: NodeJS.Timeout | undefined;
  /** The last change in the queue. */
  tail: Promise<unknown>;
  isClosed: boolean;
}

export const leaseSeconds = 30;
const renewEveryMs = 10_000;
const flushDelayMs = 100;
/** How long to wait before a change that failed is tried again. */
const retryDelayMs = 1_000;
const failureText = 'could not store which devices are connected; trying again';
/** How many leases one change renews, because databases limit the number of values in a statement. */
const batchSize = 2_000;

export function createPresence({ store, node, log }: PresenceDeps, devices: ConnectedDevices): Presence {
  const state: State = {
    store,
    node,
    devices,
    log,
    isFailing: false,
    pendingRenewals: new Set(),
    pendingEnds: new Set(),
    flushTimer: undefined,
    tail: Promise.resolve(),
    isClosed: false,
  };
  const timer = setInterval(() => enqueue(state, () => extend(state)), renewEveryMs);
  return {
    arrived(agentId) {
      state.pendingEnds.delete(agentId);
      state.pendingRenewals.add(agentId);
      scheduleFlush(state);
    },
    left(agentId) {
      state.pendingRenewals.delete(agentId);
      state.pendingEnds.add(agentId);
      scheduleFlush(state);
    },
    close() {
      clearInterval(timer);
      return close(state);
    },
  };
}

/** Runs changes one after the other, so that an older batch does not bring back a device that has left. */
function enqueue(state: State, work: () => Promise<unknown>, onFailed: () => void = () => {}): void {
  state.tail = state.tail.then(work).then(
    () => void (state.isFailing = false),
    (error: unknown) => {
      if (!state.isFailing) state.log.error({ err: error }, failureText);
      state.isFailing = true;
      onFailed();
    },
  );
}

function scheduleFlush(state: State, afterMs = flushDelayMs): void {
  if (!state.isClosed) state.flushTimer ??= setTimeout(() => flush(state), afterMs);
}

function flush(state: State): void {
  const { pendingRenewals, pendingEnds } = state;
  state.flushTimer = undefined;
  const [arrived, gone] = [[...pendingRenewals], [...pendingEnds]];
  pendingRenewals.clear();
  pendingEnds.clear();
  if (arrived.length > 0)
    enqueue(
      state,
      () => renew(state, arrived),
      () => retry(state, pendingRenewals, filterByPresence(state, arrived, true)),
    );
  if (gone.length > 0)
    enqueue(
      state,
      () => end(state, gone),
      () => retry(state, pendingEnds, filterByPresence(state, gone, false)),
    );
}

function retry(state: State, pending: Set<number>, ids: readonly number[]): void {
  for (const id of ids) pending.add(id);
  scheduleFlush(state, retryDelayMs);
}

/** Keeps the devices that are still connected, or still away, so that a retry does not undo what happened since. */
function filterByPresence({ devices }: State, ids: readonly number[], isHere: boolean): number[] {
  const here = new Set(devices.online());
  return ids.filter((id) => here.has(id) === isHere);
}

async function renew({ store, node, devices }: State, ids: readonly number[]): Promise<void> {
  for (let first = 0; first < ids.length; first += batchSize) {
    const agents = ids.slice(first, first + batchSize).map((id) => ({ id }));
    const leaseUntil = store.now() + leaseSeconds;
    const { gone } = await store.change('presence/renew', { node, agents, leaseUntil });
    if (gone.length > 0) devices.onUnlinked(gone);
  }
}

async function end({ store, node }: State, ids: readonly number[]): Promise<void> {
  for (let first = 0; first < ids.length; first += batchSize)
    await store.change('presence/end', { node, ids: ids.slice(first, first + batchSize) });
}

/**
 * Extends every lease of this node in one statement. A connected device missing from the result was unlinked, has
 * moved to another node without this one having heard of it, or its lease expired while this process was blocked. A
 * device in the result that is not connected left unnoticed and would stay online forever.
 */
async function extend(state: State): Promise<void> {
  const { store, node, devices } = state;
  const extended = await store.change('presence/extend', { node, leaseUntil: store.now() + leaseSeconds });
  const [held, here] = [new Set(extended.held), new Set(devices.online())];
  const missing = [...here.difference(held)];
  for (let first = 0; first < missing.length; first += batchSize)
    await renew(state, await devices.keepCurrent(missing.slice(first, first + batchSize)));
  await end(state, [...held.difference(here)]);
}

async function close(state: State): Promise<void> {
  const { store, node } = state;
  state.isClosed = true;
  clearTimeout(state.flushTimer);
  enqueue(state, () => store.change('presence/release', { node }));
  await state.tail;
}
