/** Imports the directories whose time has come: a few at a time, and one of an account. */
import { isFault } from '@drawbridge/contract/faults';
import { automaticAuditLine } from '../domain/audit.ts';
import type { DirectoryConnection, DirectoryReading } from '../domain/people/directory-connection.ts';
import type { ImportTarget } from '../domain/people/directory-report.ts';
import type { Store } from '../store/store.ts';

export interface ImportDeps {
  store: Store;
  readDirectory(connection: DirectoryConnection): Promise<DirectoryReading>;
  /** Something that nobody expected, such as a database that does not answer. */
  onFailure(error: unknown): void;
}

/** How many directories one server reads at the same time because they are due. Each can take a minute and 32 MiB. */
const maxParallelImports = 4;

export interface DirectoryImporter {
  /** Imports what is due, and resolves when nothing is left. Can be called while an earlier round still imports. */
  round(): Promise<void>;
}

/** Claims one directory after the other, because each claim names the accounts that are imported. */
function createClaims({ store }: ImportDeps, importing: Set<number>) {
  let last: Promise<unknown> = Promise.resolve();
  const claim = async (): Promise<ImportTarget | undefined> => {
    const { due } = await store.change('directories/claim', { exceptAccounts: [...importing] });
    if (due) importing.add(due.accountId);
    return due;
  };
  return (): Promise<ImportTarget | undefined> => {
    const next = last.then(claim, claim);
    last = next;
    return next;
  };
}

/** An account whose directories are slow delays its own only: the others have the remaining places. */
export function createDirectoryImporter(deps: ImportDeps): DirectoryImporter {
  const importing = new Set<number>();
  const claim = createClaims(deps, importing);
  let places = maxParallelImports;

  const importWhileDue = async (): Promise<void> => {
    for (let due = await claim(); due; due = await claim()) {
      try {
        await importOne(deps, due);
      } catch (error) {
        deps.onFailure(error);
      } finally {
        importing.delete(due.accountId);
      }
    }
  };

  const work = async (): Promise<void> => {
    places -= 1;
    try {
      await importWhileDue();
    } catch (error) {
      deps.onFailure(error);
    } finally {
      places += 1;
    }
  };

  return { round: async () => void (await Promise.all(Array.from({ length: places }, work))) };
}

async function importOne({ store, readDirectory }: ImportDeps, target: ImportTarget): Promise<void> {
  const { accountId, id } = target;
  const connection = await store.directories.connection(accountId, id);
  if (!connection) return;
  const reading = await readDirectory(connection);
  const line = automaticAuditLine(accountId, 'server/directory-run', { id });
  const confirmedPercent = 0;
  const outcome = await store.change('directories/apply', { ...target, reading, confirmedPercent }, line);
  // The refusal is in the audit log; the list of directories shows it too.
  if (isFault(outcome))
    await store.change('directories/apply', {
      ...target,
      reading: { failure: 'rights' },
      confirmedPercent,
    });
}
