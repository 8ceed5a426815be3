/**
 * Schedules refreshes: changes in quick succession cause one refresh, two refreshes never overlap, and the slower the
 * server responds, the longer the pause between refreshes.
 */

const debounceMs = 150;
/** The minimum pause between a response and the next refresh, unless the caller sets another. */
const defaultPauseMs = 250;
/** The pause as a multiple of the response time: refreshing takes at most a third of the time. */
const pauseFactor = 2;
const maxPauseMs = 30_000;
/** The pause after a failed refresh. */
const retryPauseMs = 5_000;

export interface RefreshOptions {
  /** Loads the data; throws on failure. */
  refresh(): Promise<void>;
  now(): number;
  minPauseMs?: number;
}

export interface RefreshScheduler {
  /** Schedules a refresh in `inMs`, but not before the running refresh and the pause after it are over. */
  schedule(inMs?: number): void;
  /** Refreshes without a pause as soon as no other refresh runs; resolves when that ends, or on close. */
  runNow(): Promise<void>;
  close(): void;
}

interface State {
  refresh: () => Promise<void>;
  now: () => number;
  minPauseMs: number;
  /** When the next refresh is scheduled; Infinity if none is. */
  due: number;
  pausedUntil: number;
  isRunning: boolean;
  isClosed: boolean;
  /** Callers of `runNow` that wait for the next refresh. */
  waiters: (() => void)[];
  timer: ReturnType<typeof setTimeout> | undefined;
}

function startTimer(state: State): void {
  clearTimeout(state.timer);
  if (state.isRunning || state.isClosed) return;
  const wait = Math.max(state.due, state.pausedUntil) - state.now();
  if (state.waiters.length > 0) void run(state);
  else if (state.due < Infinity) state.timer = setTimeout(() => void run(state), wait);
}

async function run(state: State): Promise<void> {
  const [served, began] = [state.waiters, state.now()];
  state.isRunning = true;
  state.due = Infinity;
  state.waiters = [];
  const hasFailed = await state.refresh().then(
    () => false,
    () => true,
  );
  const pause = hasFailed ? retryPauseMs : pauseAfter(state.now() - began, state.minPauseMs);
  state.isRunning = false;
  state.pausedUntil = state.now() + pause;
  served.forEach((resolve) => resolve());
  startTimer(state);
}

const pauseAfter = (responseMs: number, minPauseMs: number): number =>
  Math.min(Math.max(minPauseMs, pauseFactor * responseMs), maxPauseMs);

function schedule(state: State, inMs: number): void {
  state.due = Math.min(state.due, state.now() + Math.max(0, inMs));
  startTimer(state);
}

function runNow(state: State): Promise<void> {
  if (state.isClosed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.waiters.push(resolve);
  startTimer(state);
  return promise;
}

function close(state: State): void {
  state.isClosed = true;
  clearTimeout(state.timer);
  state.waiters.forEach((resolve) => resolve());
}

export function createRefreshScheduler(options: RefreshOptions): RefreshScheduler {
  const state: State = {
    refresh: () => options.refresh(),
    now: () => options.now(),
    minPauseMs: options.minPauseMs ?? defaultPauseMs,
    due: Infinity,
    pausedUntil: -Infinity,
    isRunning: false,
    isClosed: false,
    waiters: [],
    timer: undefined,
  };
  return {
    schedule: (inMs = debounceMs) => schedule(state, inMs),
    runNow: () => runNow(state),
    close: () => close(state),
  };
}
