/** Imports the directories whose time has come. */
import { isFault } from '@drawbridge/contract/faults';
import { automaticAuditLine } from '../domain/audit.ts';
import type { DirectoryConnection, DirectoryReading } from '../domain/people/directory-connection.ts';
import type { ImportTarget } from '../domain/people/directory-report.ts';
import type { Store } from '../store/store.ts';

export interface ImportDeps {
  store: Store;
  readDirectory(connection: DirectoryConnection): Promise<DirectoryReading>;
}

/** One round for all accounts, one directory after the other. */
export async function importDueDirectories(deps: ImportDeps): Promise<void> {
  const { due } = await deps.store.change('directories/claim', {});
  for (const target of due) await importOne(deps, target);
}

async function importOne({ store, readDirectory }: ImportDeps, target: ImportTarget): Promise<void> {
  const { accountId, id } = target;
  const connection = await store.directories.connection(accountId, id);
  if (!connection) return;
  const reading = await readDirectory(connection);
  const line = automaticAuditLine(accountId, 'server/directory-run', { id });
  const outcome = await store.change('directories/apply', { ...target, reading, confirmed: false }, line);
  // The refusal is in the audit log; the list of directories shows it too.
  if (isFault(outcome))
    await store.change('directories/apply', { ...target, reading: { failure: 'rights' }, confirmed: false });
}
