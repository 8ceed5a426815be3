/** Starts what imports directories as their accounts say. */
import { readDirectory } from '../../edges/directory/read-directory.ts';
import type { Log } from '../../edges/log.ts';
import { createDirectoryImporter } from '../../jobs/import-directories.ts';
import type { Store } from '../../store/store.ts';

const roundMs = 60_000;

export function startImporting(store: Store, allowLoopback: boolean, log: Log): () => void {
  const importer = createDirectoryImporter({
    store,
    readDirectory: (connection) => readDirectory(connection, store.now(), { allowLoopback }),
    onFailure: (error) => log.warn({ err: error }, 'importing a directory failed; trying again later'),
  });
  const timer = setInterval(() => void importer.round(), roundMs).unref();
  return () => clearInterval(timer);
}
