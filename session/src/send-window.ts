/**
 * Limits the bytes of files in flight, so that input and screen do not queue behind them. All transfers of one direction share
 * the window. It is what the route carries, at the best rate of the last moments, in the time of a chunk that travels alone and a
 * little more: enough to keep the route busy, with a short queue at its slowest part.
 */
import { maxDataChunkBytes } from '@drawbridge/contract/session/binary-frames';

export interface SendWindow {
  /** Adds a transfer. */
  join(): WindowShare;
  /** Bytes that are reserved or sent and not acknowledged. */
  inFlight(): number;
}

/** The part of one transfer in the window. */
export interface WindowShare {
  /** Resolves when a chunk may be sent, with its largest size; with 0 after `leave`. Transfers take turns. */
  reserve(): Promise<number>;
  /** The reserved chunk was sent; it ends at this offset of the file. */
  sent(bytes: number, end: number): void;
  /** The receiver has handled everything up to this offset. */
  acknowledge(end: number): void;
  /** Whether the transfer has left. */
  isOver(): boolean;
  /** Nothing of the transfer is in flight any more: it is complete or was stopped. */
  leave(): void;
}

const [minWindowBytes, maxWindowBytes] = [4 * 1_024, 2 * 1_024 * 1_024];
const minChunkBytes = 2 * 1_024;
/** A chunk is a part of the window, up to this size. */
const [chunksPerWindow, maxPartBytes] = [8, 64 * 1_024];
/** A chunk is at least what the route carries in this time: small ones cost a fast receiver more than their bytes. */
const chunkMs = 2.5;
const firstWindowBytes = 16 * 1_024;
/** An acknowledgement admits at most two chunks, so that an empty window is not filled in one burst. */
const chunksPerAcknowledgement = 2;
/** How much longer than a chunk alone a chunk may take. */
const queueTargetMs = 8;
/** How often a chunk is sent alone, because the route can change. */
const probeEveryMs = 10_000;
/** For how long the best rate counts: other work of the receiver slows it down for moments. */
const rateMs = 1_000;

interface SentChunk {
  end: number;
  bytes: number;
  at: number;
  isProbe: boolean;
  /** What had been acknowledged when it was sent. */
  before: Acknowledged;
}

/** All bytes acknowledged so far, when the last of them were, and when those had been sent. */
interface Acknowledged {
  bytes: number;
  at: number;
  sentAt: number;
}

interface Waiting {
  resolve(bytes: number): void;
  state: ShareState;
}

interface ShareState {
  reserved: number;
  chunks: SentChunk[];
  isOver: boolean;
}

interface WindowState {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  size: number;
  inFlight: number;
  /** Chunks that may be sent before the next acknowledgement. */
  credits: number;
  readonly waiting: Waiting[];
  /** Delay of a chunk that does not queue. */
  shortestMs: number;
  /** When the last probe was sent. */
  probedAt: number;
  /** Doubles the window each round trip until chunks queue for the first time. */
  isStarting: boolean;
  acknowledged: Acknowledged;
  bestRate: BestRate;
}

/** The highest rates of this and of the last period, in bytes per millisecond. */
interface BestRate {
  since: number;
  current: number;
  last: number;
}

export function createSendWindow(now: () => number): SendWindow {
  const window: WindowState = {
    now,
    size: firstWindowBytes,
    inFlight: 0,
    credits: chunksPerWindow,
    waiting: [],
    shortestMs: Infinity,
    probedAt: -Infinity,
    isStarting: true,
    acknowledged: { bytes: 0, at: 0, sentAt: 0 },
    bestRate: { since: 0, current: 0, last: 0 },
  };
  return { join: () => createShare(window), inFlight: () => window.inFlight };
}

function createShare(window: WindowState): WindowShare {
  const state: ShareState = { reserved: 0, chunks: [], isOver: false };
  const release = (bytes: number): void => {
    window.inFlight -= bytes;
    admit(window);
  };
  return {
    reserve() {
      if (state.isOver) return Promise.resolve(0);
      const { promise, resolve } = Promise.withResolvers<number>();
      window.waiting.push({ resolve, state });
      admit(window);
      return promise;
    },
    sent(bytes, end) {
      const unused = state.reserved - bytes;
      state.chunks.push(toSentChunk(window, { bytes, end, isAlone: window.inFlight === state.reserved }));
      state.reserved = 0;
      release(unused);
    },
    acknowledge(end) {
      const handled = state.chunks.filter((chunk) => chunk.end <= end);
      state.chunks = state.chunks.filter((chunk) => chunk.end > end);
      for (const chunk of handled) measure(window, chunk);
      release(sumOf(handled));
    },
    isOver: () => state.isOver,
    leave() {
      state.isOver = true;
      const left = window.waiting.filter((each) => each.state === state);
      for (const each of left) window.waiting.splice(window.waiting.indexOf(each), 1);
      for (const { resolve } of left) resolve(0);
      release(state.reserved + sumOf(state.chunks.splice(0)));
      state.reserved = 0;
    },
  };
}

function toSentChunk(
  window: WindowState,
  { bytes, end, isAlone }: { bytes: number; end: number; isAlone: boolean },
): SentChunk {
  const at = window.now();
  const isProbe = isAlone && at - window.probedAt >= probeEveryMs;
  if (isProbe) window.probedAt = at;
  // The time in which nothing was in flight says nothing about the route.
  if (isAlone) window.acknowledged = { bytes: window.acknowledged.bytes, at, sentAt: at };
  return { end, bytes, at, isProbe, before: window.acknowledged };
}

const sumOf = (chunks: readonly SentChunk[]): number => chunks.reduce((sum, { bytes }) => sum + bytes, 0);

const rateOf = ({ bestRate: { current, last } }: WindowState): number => Math.max(current, last);

const chunkBytesOf = (window: WindowState): number => {
  const part = Math.min(maxPartBytes, window.size / chunksPerWindow);
  const wanted = Math.max(minChunkBytes, part, rateOf(window) * chunkMs);
  return Math.min(maxDataChunkBytes, Math.floor(wanted));
};

/** A chunk that travels alone is sent when nothing else is in flight. */
function mayAdmit(window: WindowState, bytes: number): boolean {
  const isProbeDue = window.now() - window.probedAt >= probeEveryMs;
  if (window.inFlight === 0) return true;
  return !isProbeDue && window.credits > 0 && window.inFlight + bytes <= window.size;
}

function admit(window: WindowState): void {
  while (window.waiting.length > 0) {
    const bytes = chunkBytesOf(window);
    if (!mayAdmit(window, bytes)) return;
    const { state, resolve } = window.waiting.shift()!;
    state.reserved = bytes;
    window.inFlight += bytes;
    window.credits = Math.max(0, window.credits - 1);
    resolve(bytes);
  }
}

function measure(window: WindowState, chunk: SentChunk): void {
  const now = window.now();
  const delay = now - chunk.at;
  window.credits = chunksPerAcknowledgement;
  window.shortestMs = chunk.isProbe ? delay : Math.min(window.shortestMs, delay);
  window.acknowledged = { bytes: window.acknowledged.bytes + chunk.bytes, at: now, sentAt: chunk.at };
  addRate(window.bestRate, now, measureRate(window, chunk));
  const allowed = window.shortestMs + queueTargetMs;
  if (delay > allowed) window.isStarting = false;
  // One more chunk, because only whole chunks are sent.
  const wanted = rateOf(window) * allowed * (window.isStarting ? 2 : 1) + chunkBytesOf(window);
  window.size = Math.min(maxWindowBytes, Math.max(minWindowBytes, wanted));
}

/**
 * What was acknowledged while the chunk travelled, per millisecond. Acknowledgements that were held up arrive together;
 * their chunks were not sent together, so the longer of both times counts.
 */
function measureRate({ acknowledged }: WindowState, { at, before }: SentChunk): number {
  const elapsed = Math.max(acknowledged.at - before.at, at - before.sentAt);
  return (acknowledged.bytes - before.bytes) / Math.max(elapsed, 0.001);
}

function addRate(best: BestRate, now: number, rate: number): void {
  if (now - best.since >= rateMs) [best.since, best.last, best.current] = [now, best.current, 0];
  best.current = Math.max(best.current, rate);
}
