/**
 * Schedules refreshes of the device list: a few changed devices by their ids at once, the whole list less often, and
 * never two refreshes at a time.
 */
import { createRefreshScheduler, type RefreshScheduler } from '../refresh-scheduler.ts';

/** With more changed devices than this, the whole list is loaded. */
const maxIdsPerRequest = 200;
/** The minimum time between two loads of the whole list. */
const fullReloadIntervalMs = 5_000;

export interface DeviceLoader {
  /** Loads these devices and updates them in the list; removes those that no longer exist. */
  loadSome(ids: readonly number[]): Promise<void>;
  /** `isForeground`: a user waits for the list. */
  loadAll(isForeground: boolean): Promise<void>;
  now(): number;
}

export interface DeviceRefresher {
  /** Refreshes these devices; undefined if any device may have changed. */
  invalidate(ids: readonly number[] | undefined): void;
  /** Loads the whole list at once; `isForeground` if a user waits for it. */
  reload(isForeground: boolean): Promise<void>;
  close(): void;
}

interface State {
  loader: DeviceLoader;
  pendingIds: Set<number>;
  isFullReloadDue: boolean;
  isNextForeground: boolean;
  lastFullReload: number;
}

const nextFullReload = (state: State): number => state.lastFullReload + fullReloadIntervalMs;

/** After a failure the whole list is due; until it is loaded, the page keeps the data it has. */
async function refresh(state: State): Promise<void> {
  const isAll = state.isFullReloadDue && state.loader.now() >= nextFullReload(state);
  try {
    await (isAll ? refreshAll(state) : refreshSome(state));
  } catch (error) {
    state.isFullReloadDue = true;
    throw error;
  }
}

/** Clears what is due before the request, so that changes during the request cause another one. */
function refreshAll(state: State): Promise<void> {
  const isForeground = state.isNextForeground;
  state.lastFullReload = state.loader.now();
  state.isFullReloadDue = false;
  state.isNextForeground = false;
  state.pendingIds.clear();
  return state.loader.loadAll(isForeground);
}

async function refreshSome({ loader, pendingIds }: State): Promise<void> {
  const ids = [...pendingIds];
  pendingIds.clear();
  if (ids.length > 0) await loader.loadSome(ids);
}

function scheduleNext(state: State, scheduler: RefreshScheduler): void {
  if (state.pendingIds.size > 0) scheduler.schedule();
  else if (state.isFullReloadDue) scheduler.schedule(nextFullReload(state) - state.loader.now());
}

function addPending(state: State, ids: readonly number[] | undefined): void {
  if (ids && ids.length + state.pendingIds.size <= maxIdsPerRequest)
    ids.forEach((id) => state.pendingIds.add(id));
  else state.isFullReloadDue = true;
}

export function createDeviceRefresher(loader: DeviceLoader): DeviceRefresher {
  const state: State = {
    loader,
    pendingIds: new Set(),
    isFullReloadDue: false,
    isNextForeground: false,
    lastFullReload: -Infinity,
  };
  const scheduler = createRefreshScheduler({
    refresh: () => refresh(state).finally(() => scheduleNext(state, scheduler)),
    now: () => loader.now(),
  });
  return {
    invalidate(ids) {
      addPending(state, ids);
      scheduleNext(state, scheduler);
    },
    reload(isForeground) {
      state.isFullReloadDue = true;
      state.isNextForeground ||= isForeground;
      state.lastFullReload = -Infinity;
      return scheduler.runNow();
    },
    close: () => scheduler.close(),
  };
}
