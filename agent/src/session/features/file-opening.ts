/** Files that are only being opened: each holds its number, and none is left open when nobody waits for it any more. */
import { NotPossible } from '../../platform/platform.ts';

interface Held<File> {
  open(): Promise<File>;
  /** Takes the file over at once. */
  keep(file: File): void;
  /** Closes a file that came too late. */
  drop(file: File): Promise<void>;
}

export interface Opening {
  /** Refuses a number that is taken, and more files than may be open at once. */
  hold<File>(id: number, held: Held<File>): Promise<void>;
  /** Nobody waits for this one any more; it holds its number until it is closed. */
  drop(id: number): void;
  /** Nobody waits for any. */
  end(): void;
  isOver(): boolean;
}

export function createOpening(transfers: {
  isTaken(id: number): boolean;
  open(): number;
  most: number;
}): Opening {
  const waitedFor = new Map<number, boolean>();
  let over = false;

  function refuse(id: number): void {
    if (transfers.isTaken(id) || waitedFor.has(id))
      throw new NotPossible('A transfer with this number already exists.');
    if (transfers.open() + waitedFor.size >= transfers.most)
      throw new NotPossible('Too many file transfers at once. Wait until one has finished.');
  }

  return {
    async hold(id, { open, keep, drop }) {
      refuse(id);
      waitedFor.set(id, true);
      try {
        const file = await open();
        if (waitedFor.get(id) && !over) keep(file);
        else await drop(file);
      } finally {
        waitedFor.delete(id);
      }
    },
    drop: (id) => void (waitedFor.has(id) && waitedFor.set(id, false)),
    end: () => void (over = true),
    isOver: () => over,
  };
}
