/** Tracks files that are still opening: each reserves its number, and is closed if its transfer was cancelled meanwhile. */
import { NotPossible } from '../../platform/platform.ts';

interface OpenSteps<File> {
  open(): Promise<File>;
  /** Takes over the opened file, synchronously. */
  keep(file: File): void;
  /** Closes a file that opened after its transfer was cancelled. */
  drop(file: File): Promise<void>;
}

export interface PendingOpens {
  /** Rejects if the number is taken or too many files are open. */
  reserve<File>(id: number, steps: OpenSteps<File>): Promise<void>;
  /** Cancels a transfer; its number stays reserved until the file is closed. */
  cancel(id: number): void;
  /** Cancels all transfers, because the session is over. */
  end(): void;
  isOver(): boolean;
}

export function createPendingOpens(transfers: {
  isTaken(id: number): boolean;
  open(): number;
  most: number;
}): PendingOpens {
  const pending = new Map<number, boolean>();
  let over = false;

  function requireFree(id: number): void {
    if (transfers.isTaken(id) || pending.has(id))
      throw new NotPossible('A transfer with this number already exists.');
    if (transfers.open() + pending.size >= transfers.most)
      throw new NotPossible('Too many file transfers at once. Wait until one has finished.');
  }

  return {
    async reserve(id, { open, keep, drop }) {
      requireFree(id);
      pending.set(id, true);
      try {
        const file = await open();
        if (pending.get(id) && !over) keep(file);
        else await drop(file);
      } finally {
        pending.delete(id);
      }
    },
    cancel: (id) => void (pending.has(id) && pending.set(id, false)),
    end: () => void (over = true),
    isOver: () => over,
  };
}
