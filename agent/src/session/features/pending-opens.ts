/** Files that are only being opened: each holds its number, and none is left open when nobody waits for it any more. */
import { NotPossible } from '../../platform/platform.ts';

interface OpenSteps<File> {
  open(): Promise<File>;
  /** Takes the file over at once. */
  keep(file: File): void;
  /** Closes a file that came too late. */
  drop(file: File): Promise<void>;
}

export interface PendingOpens {
  /** Refuses a number that is taken, and more files than may be open at once. */
  reserve<File>(id: number, held: OpenSteps<File>): Promise<void>;
  /** Nobody waits for this one any more; it holds its number until it is closed. */
  cancel(id: number): void;
  /** Nobody waits for any. */
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

  function refuse(id: number): void {
    if (transfers.isTaken(id) || pending.has(id))
      throw new NotPossible('A transfer with this number already exists.');
    if (transfers.open() + pending.size >= transfers.most)
      throw new NotPossible('Too many file transfers at once. Wait until one has finished.');
  }

  return {
    async reserve(id, { open, keep, drop }) {
      refuse(id);
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
