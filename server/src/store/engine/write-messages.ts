/** The messages between the main thread and the writer thread of the embedded database. */
import type { ChangeJob } from './transaction.ts';

export interface WriteRequest {
  number: number;
  job: ChangeJob;
}

export type WriteReply = { number: number } & ({ outcome: unknown } | { error: string });
