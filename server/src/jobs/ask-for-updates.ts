/** Asks devices to update themselves, round by round, as their accounts say. */
import { automaticAuditLine } from '../domain/audit.ts';
import { planUpdates, type UpdateSettings } from '../domain/devices/updates.ts';
import type { Store } from '../store/store.ts';

export interface UpdateDeps {
  store: Store;
  /** Asks a device to update itself; resolves with the reason if it refuses. */
  askDevice(id: number, version: string): Promise<string | undefined>;
  /** The version that this server offers; empty if there is none. */
  offeredVersion(): Promise<string>;
}

/** One round for all accounts. */
export async function askForUpdates(deps: UpdateDeps): Promise<void> {
  const accounts = await deps.store.updates.running();
  if (accounts.length === 0) return;
  const version = await deps.offeredVersion();
  if (version === '') return;
  for (const account of accounts) await askDevicesOf(deps, account, version);
}

async function askDevicesOf(
  deps: UpdateDeps,
  { accountId, ...settings }: UpdateSettings & { accountId: number },
  version: string,
): Promise<void> {
  const { store } = deps;
  const now = store.now();
  const devices = await store.updates.devices(accountId, now);
  const plan = planUpdates({ settings, version, devices, now });
  if (plan === 'pause') return pauseUpdates(store, accountId, version);
  if (plan.ask.length === 0) return;
  const { asked } = await store.change('updates/ask', { accountId, version, ids: plan.ask });
  await Promise.all(asked.map((id) => ask(deps, { accountId, id, version })));
}

async function pauseUpdates(store: Store, accountId: number, version: string): Promise<void> {
  const line = automaticAuditLine(accountId, 'server/updates-pause', { version });
  await store.change('updates/pause', { accountId, by: 'failures' }, line);
}

/** A device that does not answer reports later, or is asked again. */
async function ask(
  { store, askDevice }: UpdateDeps,
  { accountId, id, version }: { accountId: number; id: number; version: string },
): Promise<void> {
  const refused = await askDevice(id, version);
  if (refused !== undefined)
    await store.change('updates/report', { accountId, id, progress: 'refused', version, message: refused });
}
