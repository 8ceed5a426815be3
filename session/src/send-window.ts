/**
 * Limits the bytes of files in flight, so that input and screen do not queue behind them. All transfers of one direction share
 * the window. It grows while chunks are acknowledged about as fast as a chunk that travels alone, and shrinks when they queue
 * anywhere between sender and receiver.
 */

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
  /** Nothing of the transfer is in flight any more: it is complete or was stopped. */
  leave(): void;
}

const maxWindowBytes = 2 * 1_024 * 1_024;
const [minChunkBytes, maxChunkBytes] = [2 * 1_024, 64 * 1_024];
const chunksPerWindow = 8;
const firstWindowBytes = 16 * 1_024;
/** An acknowledgement admits at most two chunks, so that an empty window is not filled in one burst. */
const chunksPerAcknowledgement = 2;
/** The limits of the smallest window. Within them it is what the receiver handles in `queueTargetMs`. */
const [leastFloorBytes, mostFloorBytes] = [2 * minChunkBytes, 256 * 1_024];
/** How much longer than a chunk alone a chunk may take. */
const queueTargetMs = 8;
/** Weight of a new measurement in the moving average. */
const weight = 0.25;
/** How often a chunk is sent alone, because the route can change. */
const probeEveryMs = 10_000;

interface SentChunk {
  end: number;
  bytes: number;
  at: number;
  round: number;
  isProbe: boolean;
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
  /** The window does not shrink below this: delays that other work of the receiver causes must not stop a transfer. */
  floor: number;
  inFlight: number;
  /** Chunks that may be sent before the next acknowledgement. */
  credits: number;
  readonly waiting: Waiting[];
  /** Delay of a chunk that does not queue. */
  shortestMs: number;
  /** When the last probe was sent. */
  probedAt: number;
  /** Doubles the window each round until chunks queue for the first time. */
  isStarting: boolean;
  round: Round;
}

/** What was acknowledged in one round; the round ends with the first chunk that was sent in it. */
interface Round {
  number: number;
  delays: number;
  /** A queue delays every chunk, other work of the receiver only some. */
  leastDelay: number;
  chunks: number;
  /** When the first chunk was acknowledged, and the bytes after it. */
  firstAt: number;
  bytesAfterFirst: number;
  wasFull: boolean;
}

const createRound = (number: number): Round => ({
  number,
  delays: 0,
  leastDelay: Infinity,
  chunks: 0,
  firstAt: 0,
  bytesAfterFirst: 0,
  wasFull: false,
});

export function createSendWindow(now: () => number): SendWindow {
  const window: WindowState = {
    now,
    size: firstWindowBytes,
    floor: leastFloorBytes,
    inFlight: 0,
    credits: chunksPerWindow,
    waiting: [],
    shortestMs: Infinity,
    probedAt: -Infinity,
    isStarting: true,
    round: createRound(0),
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
      const [at, unused] = [window.now(), state.reserved - bytes];
      const isProbe = at - window.probedAt >= probeEveryMs && window.inFlight === state.reserved;
      if (isProbe) window.probedAt = at;
      state.chunks.push({ end, bytes, at, round: window.round.number, isProbe });
      state.reserved = 0;
      release(unused);
    },
    acknowledge(end) {
      const handled = state.chunks.filter((chunk) => chunk.end <= end);
      state.chunks = state.chunks.filter((chunk) => chunk.end > end);
      for (const chunk of handled) measure(window, chunk);
      release(sumOf(handled));
    },
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

const sumOf = (chunks: readonly SentChunk[]): number => chunks.reduce((sum, { bytes }) => sum + bytes, 0);

const chunkBytesOf = ({ size }: WindowState): number =>
  Math.max(minChunkBytes, Math.min(maxChunkBytes, Math.floor(size / chunksPerWindow)));

/** A chunk that travels alone is sent when nothing else is in flight. */
function mayAdmit(window: WindowState, bytes: number): boolean {
  const isProbeDue = window.now() - window.probedAt >= probeEveryMs;
  if (window.inFlight === 0) return true;
  return !isProbeDue && window.credits > 0 && window.inFlight + bytes <= window.size;
}

function admit(window: WindowState): void {
  while (window.waiting.length > 0) {
    const bytes = chunkBytesOf(window);
    if (!mayAdmit(window, bytes)) {
      window.round.wasFull = true;
      return;
    }
    const { state, resolve } = window.waiting.shift()!;
    state.reserved = bytes;
    window.inFlight += bytes;
    window.credits = Math.max(0, window.credits - 1);
    resolve(bytes);
  }
}

function measure(window: WindowState, chunk: SentChunk): void {
  const { round } = window;
  const now = window.now();
  window.credits = chunksPerAcknowledgement;
  const delay = now - chunk.at;
  window.shortestMs = chunk.isProbe ? delay : Math.min(window.shortestMs, delay);
  if (round.chunks === 0) round.firstAt = now;
  else round.bytesAfterFirst += chunk.bytes;
  round.delays += delay;
  round.leastDelay = Math.min(round.leastDelay, delay);
  round.chunks += 1;
  if (chunk.round < round.number) return;
  adjustFloor(window, now);
  adjustSize(window);
  window.round = createRound(round.number + 1);
}

/** Acknowledgements that arrive one by one show how fast the slowest part of the route is. */
function adjustFloor(window: WindowState, now: number): void {
  const { bytesAfterFirst, firstAt } = window.round;
  if (bytesAfterFirst === 0) return;
  const handled = (bytesAfterFirst / Math.max(now - firstAt, 0.001)) * queueTargetMs;
  const wanted = Math.min(mostFloorBytes, Math.max(leastFloorBytes, handled));
  window.floor += weight * (wanted - window.floor);
}

function adjustSize(window: WindowState): void {
  const { delays, leastDelay, chunks, wasFull } = window.round;
  const allowed = window.shortestMs + queueTargetMs;
  const isQueueing = delays / chunks > allowed;
  if (isQueueing) window.isStarting = false;
  if (leastDelay > allowed)
    window.size = Math.max(window.floor, window.size * Math.max(0.5, allowed / leastDelay));
  else if (!isQueueing && (wasFull || chunkBytesOf(window) < maxChunkBytes)) {
    // Small chunks can cost the sender so much that they do not fill the window.
    const grown = window.isStarting ? window.size * 2 : window.size + window.size / 16;
    window.size = Math.min(maxWindowBytes, grown);
  }
}
