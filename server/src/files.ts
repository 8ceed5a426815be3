/** The files attached to devices and the recordings of sessions, for one server: finds their folders, and sweeps them now and then. */
import { largestChunk } from '@drawbridge/contract/session/recording';
import type { Config } from './config.ts';
import { loadIdentity } from './gateway/identity.ts';
import { removeOldRecordings } from './jobs/old-recordings.ts';
import { sweepFiles, sweepRecordings } from './jobs/sweep-files.ts';
import type { Log } from './log.ts';
import { StartRefused } from './start-refused.ts';
import { openShelf, type ShelfOptions } from './store/shelf.ts';
import type { Shelf, Store } from './store/store.ts';

const sweepEveryMs = 3_600_000;

export interface Shelves {
  /** Of attached files. */
  shelf: Shelf;
  recordings: Shelf;
}

export async function openShelves({ files, fileLimit, recordings }: Config, store: Store): Promise<Shelves> {
  const { publicKey: owner } = await loadIdentity(store);
  return {
    shelf: await openOwn({ folder: files, largest: fileLimit, owner }, 'attached files', 'FILES'),
    recordings: await openOwn(
      { folder: recordings, largest: largestChunk, owner },
      'recordings',
      'RECORDINGS',
    ),
  };
}

async function openOwn(options: ShelfOptions, what: string, setting: string): Promise<Shelf> {
  const shelf = await openShelf(options);
  if (shelf) return shelf;
  throw new StartRefused(
    `The folder ${options.folder} holds the ${what} of another Drawbridge database, which would be lost. Set DRAWBRIDGE_${setting} to another folder, or move this one away.`,
  );
}

/** Sweeps at once and every hour. Resolves when it has stopped. */
export function startSweeping(
  store: Store,
  { shelf, recordings }: Shelves,
  recordingDays: number,
  log: Log,
): () => Promise<void> {
  const attempt = (work: Promise<unknown>, what: string): Promise<unknown> =>
    work.catch((error: unknown) =>
      log.warn({ err: error }, `cleaning up ${what} failed; trying again later`),
    );
  const sweep = async (): Promise<void> => {
    await attempt(sweepFiles(store, shelf), 'attached files');
    await attempt(removeOldRecordings(store, recordings, recordingDays), 'old recordings');
    await attempt(sweepRecordings(store, recordings), 'recordings');
  };
  let running = sweep();
  const timer = setInterval(() => void (running = running.then(sweep)), sweepEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
