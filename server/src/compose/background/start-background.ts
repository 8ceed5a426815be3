/** What the server does besides requests: by timers, and on servers with the role `jobs` only, except for its own counts. */
import type { Bus } from '../../bus/bus.ts';
import type { Config } from '../../config/config.ts';
import type { ShareLimiter } from '../../edges/guess-limiter.ts';
import type { Log } from '../../edges/log.ts';
import { createHousekeeping, roundSeconds } from '../../jobs/housekeeping.ts';
import type { KeyUses } from '../../jobs/key-uses.ts';
import type { Notifier } from '../../jobs/notifications/notifier.ts';
import type { Store } from '../../store/store.ts';
import { startSweeping, type BlobStores } from '../blob-stores.ts';
import type { Releases } from '../releases.ts';
import { startDelivering } from './delivering.ts';
import { startImporting } from './importing.ts';
import { startNotifying } from './notifying.ts';
import { startUpdating } from './updating.ts';

interface BackgroundDeps {
  store: Store;
  bus: Bus;
  keyUses: KeyUses;
  blobStores: BlobStores;
  releases: Releases;
  notifier: Notifier;
  config: () => Config;
  share: ShareLimiter;
  log: Log;
}

const housekeepingEveryMs = roundSeconds * 1_000;

/** Returns what ends each part. */
export function startBackground(deps: BackgroundDeps): (() => void | Promise<void>)[] {
  const { store, bus, keyUses, blobStores, releases, notifier, config, share, log } = deps;
  const { roles, recordingDays, directoryLoopback } = config();
  const own = startWritingKeyUses(keyUses, log);
  if (!roles.includes('jobs')) return [own];
  return [
    own,
    startHousekeeping(store, config(), log),
    startNotifying(notifier, log),
    startSweeping(store, blobStores, recordingDays, log),
    startUpdating(store, bus, releases, log),
    startImporting(store, directoryLoopback, log),
    startDelivering(store, config, { share, log }),
  ];
}

function startHousekeeping(store: Store, { invitationDays }: Config, log: Log): () => void {
  const round = createHousekeeping(store, invitationDays * 86_400, () => performance.now() / 1_000);
  const timer = setInterval(() => void round().catch(warnOfFailure(log)), housekeepingEveryMs).unref();
  return () => clearInterval(timer);
}

function startWritingKeyUses(keyUses: KeyUses, log: Log): () => Promise<void> {
  const write = (): Promise<void> => keyUses.write().catch(warnOfFailure(log));
  const timer = setInterval(() => void write(), housekeepingEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await keyUses.write().catch(() => {});
  };
}

const warnOfFailure =
  (log: Log) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'cleaning up failed; trying again later');
