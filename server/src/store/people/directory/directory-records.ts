/** What is read about directories. */
import type {
  DirectoryConnection,
  DirectoryReading,
  DirectorySettings,
} from '../../../domain/people/directory-connection.ts';
import type { ImportProblem, ImportReport, ImportTarget } from '../../../domain/people/directory-report.ts';

/** A directory without its password, with what happened last. */
interface ListedDirectory extends DirectorySettings {
  id: number;
  /** When it is imported next; null if only when somebody asks. */
  nextTime: number | null;
  lastTime: number | null;
  lastProblem: ImportProblem;
}

export interface DirectoryReads {
  list(accountId: number): Promise<ListedDirectory[]>;
  connection(accountId: number, id: number): Promise<DirectoryConnection | undefined>;
  /** What an import would do; undefined if there is no such directory. */
  plan(target: ImportTarget, reading: DirectoryReading): Promise<ImportReport | undefined>;
}
