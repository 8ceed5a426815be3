/** The queue of file transfers of a session: a few run at a time, also while the panel is closed. */
import { consolePanelTexts } from '../texts.ts';
import { createRateMeter, type RateMeter } from './transfer-rate.ts';

const { files: texts } = consolePanelTexts;
const maxConcurrent = 3;

export interface Transfer {
  name: string;
  direction: 'download' | 'upload';
  bytes: number;
  /** Undefined while unknown. */
  size: number | undefined;
  rate: Pick<RateMeter, 'bytesPerSecond'>;
  state: 'waiting' | 'running' | 'done' | 'failed';
  message: string;
  /** An addition to the result, such as the skipped files; usually empty. */
  note: string;
  stop(): void;
}

interface ProgressReport {
  size(bytes: number): void;
  at(bytes: number): void;
}

export interface TransferJob {
  name: string;
  direction: Transfer['direction'];
  /** May resolve with a note for the person. */
  run(report: ProgressReport, signal: AbortSignal): Promise<string | void>;
}

export interface Transfers {
  all: readonly Transfer[];
  add(job: TransferJob): Promise<void>;
  clear(): void;
}

interface TransfersState {
  all: Transfer[];
  running: number;
  /** Resolvers of the transfers that wait for a slot. */
  waiting: (() => void)[];
  onChanged(): void;
}

/** `onChanged` is called when a transfer changes its state. Its progress is read whenever it is shown. */
export function createTransfers(onChanged: () => void): Transfers {
  const state: TransfersState = { all: [], running: 0, waiting: [], onChanged };
  return {
    get all() {
      return state.all;
    },
    add: (job) => add(state, job),
    clear: () => clear(state),
  };
}

async function add(state: TransfersState, job: TransferJob): Promise<void> {
  const stop = new AbortController();
  const rate = createRateMeter(() => performance.now());
  const transfer = toTransfer(job, rate, () => stop.abort());
  const set = (change: Partial<Transfer>): void => {
    Object.assign(transfer, change);
    state.onChanged();
  };
  state.all = [...state.all, transfer];
  state.onChanged();
  await acquireSlot(state);
  try {
    stop.signal.throwIfAborted();
    set({ state: 'running' });
    const note = await job.run(reportTo(transfer, rate), stop.signal);
    set({ state: 'done', message: texts.done, note: note ?? '' });
  } catch (error) {
    set({ state: 'failed', message: stop.signal.aborted ? texts.stopped : (error as Error).message });
  } finally {
    releaseSlot(state);
  }
}

const reportTo = (transfer: Transfer, rate: RateMeter): ProgressReport => ({
  size: (size) => void (transfer.size = size),
  at(bytes) {
    transfer.bytes = bytes;
    rate.record(bytes);
  },
});

const toTransfer = ({ name, direction }: TransferJob, rate: RateMeter, stop: () => void): Transfer => ({
  name,
  direction,
  bytes: 0,
  size: undefined,
  rate,
  state: 'waiting',
  message: '',
  note: '',
  stop,
});

async function acquireSlot(state: TransfersState): Promise<void> {
  if (state.running >= maxConcurrent) {
    const { promise, resolve } = Promise.withResolvers<void>();
    state.waiting.push(resolve);
    await promise;
  }
  state.running += 1;
}

function releaseSlot(state: TransfersState): void {
  state.running -= 1;
  state.waiting.shift()?.();
}

function clear(state: TransfersState): void {
  state.all = state.all.filter((each) => each.state === 'waiting' || each.state === 'running');
  state.onChanged();
}
