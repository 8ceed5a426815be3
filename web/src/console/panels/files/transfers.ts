/** The transfers of a session: a few at a time, each with its progress, and none lost when the panel is closed. */
import { panelTexts } from '../texts.ts';

const { files: words } = panelTexts;
const atOnce = 3;

export interface Transfer {
  name: string;
  direction: 'fetch' | 'bring';
  bytes: number;
  /** Undefined while it is not known. */
  size: number | undefined;
  state: 'waiting' | 'running' | 'done' | 'failed';
  message: string;
  stop(): void;
}

export interface Work {
  name: string;
  direction: Transfer['direction'];
  run(report: { size(bytes: number): void; at(bytes: number): void }, signal: AbortSignal): Promise<void>;
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
      await work.run({ size: (size) => set({ size }), at: (bytes) => set({ bytes }) }, stop.signal);
      set({ state: 'done', message: words.done });
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
