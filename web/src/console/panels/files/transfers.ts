/** The transfers of a session: a few at a time, each with its progress, and none lost when the panel is closed. */
import { consolePanelTexts } from '../texts.ts';

const { files: texts } = consolePanelTexts;
const maxConcurrent = 3;

export interface Transfer {
  name: string;
  direction: 'download' | 'upload';
  bytes: number;
  /** Undefined while it is not known. */
  size: number | undefined;
  state: 'waiting' | 'running' | 'done' | 'failed';
  message: string;
  /** What there is to say beside that it is done. */
  note: string;
  stop(): void;
}

export interface ProgressReport {
  size(bytes: number): void;
  at(bytes: number): void;
}

export interface TransferJob {
  name: string;
  direction: Transfer['direction'];
  /** Resolves with a note, where there is something to say. */
  run(report: ProgressReport, signal: AbortSignal): Promise<string | void>;
}

export interface Transfers {
  all: readonly Transfer[];
  add(job: TransferJob): Promise<void>;
  clear(): void;
}

export function createTransfers(changed: () => void): Transfers {
  let all: Transfer[] = [];
  let running = 0;
  const waiting: (() => void)[] = [];

  const acquireSlot = async (): Promise<void> => {
    if (running >= maxConcurrent) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    }
    running += 1;
  };
  const releaseSlot = (): void => {
    running -= 1;
    waiting.shift()?.();
  };

  async function add(job: TransferJob): Promise<void> {
    const stop = new AbortController();
    const transfer: Transfer = {
      name: job.name,
      direction: job.direction,
      bytes: 0,
      size: undefined,
      state: 'waiting',
      message: '',
      note: '',
      stop: () => stop.abort(),
    };
    all = [...all, transfer];
    const set = (change: Partial<Transfer>): void => {
      Object.assign(transfer, change);
      changed();
    };
    set({});
    await acquireSlot();
    try {
      stop.signal.throwIfAborted();
      set({ state: 'running' });
      const report = { size: (size: number) => set({ size }), at: (bytes: number) => set({ bytes }) };
      const note = await job.run(report, stop.signal);
      set({ state: 'done', message: texts.done, note: note ?? '' });
    } catch (error) {
      set({ state: 'failed', message: stop.signal.aborted ? texts.stopped : (error as Error).message });
    } finally {
      releaseSlot();
    }
  }

  return {
    get all() {
      return all;
    },
    add,
    clear() {
      all = all.filter(({ state }) => state === 'waiting' || state === 'running');
      changed();
    },
  };
}
