/** Starts what asks devices to update themselves. */
import type { Bus } from '../../bus/bus.ts';
import { updateRound } from '../../domain/devices/updates.ts';
import type { Log } from '../../edges/log.ts';
import { createBusFleet } from '../../gateway/devices/fleet.ts';
import { askForUpdates, type UpdateDeps } from '../../jobs/ask-for-updates.ts';
import type { Store } from '../../store/store.ts';
import type { Releases } from '../releases.ts';

/** The version of the agent that this server offers; empty if it offers none. */
export const offeredVersion = async (releases: Releases): Promise<string> =>
  (await releases.current())?.version ?? '';

export function startUpdating(store: Store, bus: Bus, releases: Releases, log: Log): () => void {
  const fleet = createBusFleet(bus, store);
  const askDevice: UpdateDeps['askDevice'] = async (id, version) => {
    const answer = await fleet.command(id, 'self_update', { version });
    return typeof answer === 'object' && 'refused' in answer ? answer.refused : undefined;
  };
  const deps = { store, askDevice, offeredVersion: () => offeredVersion(releases) };
  const warn = (error: unknown): void =>
    log.warn({ err: error }, 'asking for updates failed; trying again later');
  const timer = setInterval(() => void askForUpdates(deps).catch(warn), updateRound * 1_000).unref();
  return () => clearInterval(timer);
}
