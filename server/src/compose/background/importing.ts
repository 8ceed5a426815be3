/** Starts what imports directories as their accounts say. */
import { readDirectory } from '../../edges/directory/read-directory.ts';
import type { Log } from '../../edges/log.ts';
import { importDueDirectories } from '../../jobs/import-directories.ts';
import type { Store } from '../../store/store.ts';

const roundMs = 60_000;

export function startImporting(store: Store, allowLoopback: boolean, log: Log): () => void {
  let isRunning = false;
  const round = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await importDueDirectories({
        store,
        readDirectory: (connection) => readDirectory(connection, store.now(), { allowLoopback }),
      });
    } catch (error) {
      log.warn({ err: error }, 'importing a directory failed; trying again later');
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void round(), roundMs).unref();
  return () => clearInterval(timer);
}
