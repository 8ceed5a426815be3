/** The transfers of a session: a few at a time, each with its progress, and none lost when the panel is closed. */
import { consolePanelTexts } from '../texts.ts';

const { files: words } = consolePanelTexts;
const atOnce = 3;

export interface Transfer {
  name: string;
  direction: 'fetch' | 'bring';
  bytes: number;
  /** Undefined while it is not known. */
  size: number | undefined;
  state: 'waiting' | 'running' | 'done' | 'failed';
  message: string;
  /** What there is to say beside that it is done. */
  note: string;
  stop(): void;
}

export interface Report {
  size(bytes: number): void;
  at(bytes: number): void;
}

export interface Work {
  name: string;
  direction: Transfer['direction'];
  /** Resolves with a note, where there is something to say. */
  run(report: Report, signal: AbortSignal): Promise<string | void>;
}

export interface Transfers {
  all: readonly Transfer[];
  add(work: Work): Promise<void>;
  clear(): void;
}

export function createTransfers(changed: () => void): Transfers {
  let all: Transfer[] = [];
  let running = 0;
  const waiting: (() => void)[] = [];

  const turn = async (): Promise<void> => {
    if (running >= atOnce) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    }
    running += 1;
  };
  const pass = (): void => {
    running -= 1;
    waiting.shift()?.();
  };

  async function add(work: Work): Promise<void> {
    const stop = new AbortController();
    const transfer: Transfer = {
      name: work.name,
      direction: work.direction,
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
    await turn();
    try {
      stop.signal.throwIfAborted();
      set({ state: 'running' });
      const report = { size: (size: number) => set({ size }), at: (bytes: number) => set({ bytes }) };
      const note = await work.run(report, stop.signal);
      set({ state: 'done', message: words.done, note: note ?? '' });
    } catch (error) {
      set({ state: 'failed', message: stop.signal.aborted ? words.stopped : (error as Error).message });
    } finally {
      pass();
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
