/** When something is asked for anew: what comes together is asked for once, never twice at a time, and the longer answers take, the longer is the rest between them. */

/** Changes that come quickly one after the other are asked for once. */
const debounceMs = 150;
/** Between an answer and the next question, where nothing else is said. */
const defaultPauseMs = 250;
/** The rest in times of what the answer took: at most a third of the time is spent asking. */
const pauseFactor = 2;
const maxPauseMs = 30_000;
/** After a question that failed. */
const retryPauseMs = 5_000;

export interface RefreshOptions {
  /** Asks; throws when it could not be answered. */
  refresh(): Promise<void>;
  now(): number;
  /** Between an answer and the next question, at the least. */
  minPauseMs?: number;
}

export interface RefreshScheduler {
  /** Something changed: it is asked for after `inMs`, or once a question that is open is answered and the rest is over. */
  schedule(inMs?: number): void;
  /** Asks without a rest, as soon as no other question is open; resolves when it is answered, or given up. */
  runNow(): Promise<void>;
  close(): void;
}

export function createRefreshScheduler({
  refresh,
  now,
  minPauseMs = defaultPauseMs,
}: RefreshOptions): RefreshScheduler {
  let [due, pausedUntil] = [Infinity, -Infinity];
  let [isRunning, isClosed] = [false, false];
  /** Those who wait for the next question. */
  let waiters: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function scheduleNext(): void {
    clearTimeout(timer);
    if (isRunning || isClosed) return;
    if (waiters.length > 0) void run();
    else if (due < Infinity) timer = setTimeout(() => void run(), Math.max(due, pausedUntil) - now());
  }

  async function run(): Promise<void> {
    const [served, began] = [waiters, now()];
    [isRunning, due, waiters] = [true, Infinity, []];
    const hasFailed = await refresh().then(
      () => false,
      () => true,
    );
    const pause = Math.min(Math.max(minPauseMs, pauseFactor * (now() - began)), maxPauseMs);
    [isRunning, pausedUntil] = [false, now() + (hasFailed ? retryPauseMs : pause)];
    served.forEach((resolve) => resolve());
    scheduleNext();
  }

  return {
    schedule(inMs = debounceMs) {
      due = Math.min(due, now() + Math.max(0, inMs));
      scheduleNext();
    },
    runNow: () =>
      new Promise((resolve) => {
        if (isClosed) return resolve();
        waiters.push(resolve);
        scheduleNext();
      }),
    close() {
      isClosed = true;
      clearTimeout(timer);
      waiters.forEach((resolve) => resolve());
    },
  };
}
