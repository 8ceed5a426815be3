/** When the list is asked for anew: a few devices by their ids at once, the whole of it now and then, never two at a time. */
import { createRefreshScheduler } from '../refresh-scheduler.ts';

/** At most so many are asked for by their ids. */
export const maxIdsPerRequest = 200;
/** Between two questions for the whole list. */
const fullReloadIntervalMs = 5_000;

export interface DeviceLoader {
  /** Asks for these, and takes note of them and of those that are gone. */
  loadSome(ids: readonly number[]): Promise<void>;
  /** `isForeground`: somebody waits for it. */
  loadAll(isForeground: boolean): Promise<void>;
  now(): number;
}

export interface DeviceRefresher {
  /** What changed; undefined when all of it may have. */
  invalidate(ids: readonly number[] | undefined): void;
  /** Asks for the whole list at once; `isForeground` when somebody waits for it. */
  reload(isForeground: boolean): Promise<void>;
  close(): void;
}

export function createDeviceRefresher({ loadSome, loadAll, now }: DeviceLoader): DeviceRefresher {
  const pendingIds = new Set<number>();
  let [isFullReloadDue, isNextForeground] = [false, false];
  let lastFullReload = -Infinity;

  /** What could not be learned is asked for again; the page goes on with what it has. */
  async function refresh(): Promise<void> {
    try {
      await (isFullReloadDue && now() >= lastFullReload + fullReloadIntervalMs
        ? refreshAll()
        : refreshSome());
    } catch (error) {
      isFullReloadDue = true;
      throw error;
    } finally {
      scheduleNext();
    }
  }

  const scheduler = createRefreshScheduler({ refresh, now });
  function scheduleNext(): void {
    if (pendingIds.size > 0) scheduler.schedule();
    else if (isFullReloadDue) scheduler.schedule(lastFullReload + fullReloadIntervalMs - now());
  }

  /** Forgotten before they are asked for: what changes meanwhile is asked for once more. */
  function refreshAll(): Promise<void> {
    const isForeground = isNextForeground;
    [lastFullReload, isFullReloadDue, isNextForeground] = [now(), false, false];
    pendingIds.clear();
    return loadAll(isForeground);
  }

  async function refreshSome(): Promise<void> {
    const ids = [...pendingIds];
    pendingIds.clear();
    if (ids.length > 0) await loadSome(ids);
  }

  return {
    invalidate(ids) {
      if (ids && ids.length + pendingIds.size <= maxIdsPerRequest) ids.forEach((id) => pendingIds.add(id));
      else isFullReloadDue = true;
      scheduleNext();
    },
    reload(isForeground) {
      [isFullReloadDue, isNextForeground, lastFullReload] = [
        true,
        isNextForeground || isForeground,
        -Infinity,
      ];
      return scheduler.runNow();
    },
    close: () => scheduler.close(),
  };
}
