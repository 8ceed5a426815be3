/** The messages between the main thread and the writer thread of the embedded database. */
import type { SealingKey } from '../secrets/secret-box.ts';
import type { ChangeJob } from './transaction.ts';

/** What the writer thread starts with. */
export interface WriterData {
  file: string;
  secretKeys: readonly SealingKey[];
}

export interface WriteRequest {
  number: number;
  job: ChangeJob;
}

interface WriteFailure {
  error: string;
  /** That of SQLite, if it has one. */
  code: string | undefined;
}

export type WriteReply = { number: number } & ({ outcome: unknown } | WriteFailure);

/** The outcomes of one shared commit, and how long it took. */
export interface CommitMessage {
  answers: WriteReply[];
  seconds: number;
}
