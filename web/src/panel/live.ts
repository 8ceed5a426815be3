/**
 * What changes elsewhere: one stream of hints from the server, and those who want to hear of a topic. All tabs of a
 * browser share one stream, as browsers allow a server only a few connections: one tab holds it and passes on what it hears.
 */
import { signal } from '@preact/signals';
import type { PanelEvent, Topic } from '@drawbridge/contract/panel/events';

/** `ids` of what changed; undefined when all of it may have. */
export type Hear = (ids: readonly number[] | undefined) => void;

/** What tabs tell each other. `who` asks whoever holds the stream how it is. */
type Word = { kind: 'change'; event: PanelEvent } | { kind: 'reset' | 'end' | 'up' | 'down' | 'who' };

/** Whether the stream stands. */
export const isLive = signal(true);

const listeners = new Map<Topic, Set<Hear>>();

export function hear(topic: Topic, listener: Hear): () => void {
  const known = listeners.get(topic) ?? new Set();
  listeners.set(topic, known.add(listener));
  return () => void known.delete(listener);
}

const tell = ({ topic, ids }: PanelEvent): void => listeners.get(topic)?.forEach((listener) => listener(ids));

const tellAll = (): void => {
  for (const all of listeners.values()) all.forEach((listener) => listener(undefined));
};

const tabs = new BroadcastChannel('drawbridge.panel');
/** Held by the tab that holds the stream; when that tab is gone, another has it. */
const lockName = 'drawbridge.panel';
/** From half a second up: a server that comes back is not met by everybody at once. */
const pauses = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** After this a page no longer waits for the stream, and asks for everything anew once it stands. */
const patienceMs = 1_000;

interface Live {
  stop: AbortController;
  /** Resolves when hints come, or when that takes too long. */
  ready: Promise<void>;
  isReady: () => void;
  /** Set when pages did not wait: what they asked for may be old already. */
  isLate: boolean;
  /** Set when the stream stood before, here or in another tab: pages rely on it. */
  hasStood: boolean;
  onEnd: () => void;
  onRefused: () => void;
}

let live: Live | undefined;

function take(word: Word): void {
  if (!live) return;
  if (word.kind === 'change') tell(word.event);
  if (word.kind === 'reset') tellAll();
  if (word.kind === 'end') live.onEnd();
  if (word.kind === 'down') isLive.value = false;
  if (word.kind === 'up') {
    isLive.value = true;
    if (live.isLate) tellAll();
    live.isLate = false;
    live.hasStood = true;
    live.isReady();
  }
}

/** To this tab and to the others. */
function pass(word: Word): void {
  tabs.postMessage(word);
  take(word);
}

tabs.addEventListener('message', ({ data }: MessageEvent<Word>) => {
  if (data.kind !== 'who') take(data);
  else if (stream?.readyState === EventSource.OPEN) tabs.postMessage({ kind: 'up' } satisfies Word);
});

let stream: EventSource | undefined;
let failures = 0;

/** Resolves when the stream has ended for good, or was refused. */
function listen(over: AbortSignal, onOpen: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const opened = new EventSource('/panel/api/events');
  stream = opened;
  const end = (): void => {
    opened.close();
    resolve();
  };
  opened.addEventListener('open', () => {
    failures = 0;
    pass({ kind: 'up' });
    onOpen();
  });
  opened.addEventListener('change', ({ data }: MessageEvent<string>) =>
    pass({ kind: 'change', event: JSON.parse(data) as PanelEvent }),
  );
  opened.addEventListener('reset', () => pass({ kind: 'reset' }));
  opened.addEventListener('end', () => {
    end();
    pass({ kind: 'end' });
  });
  opened.addEventListener('error', () => {
    pass({ kind: 'down' });
    // The browser tries again by itself unless it was refused; then it is up to us.
    if (opened.readyState === EventSource.CLOSED) end();
  });
  over.addEventListener('abort', end, { once: true });
  return promise;
}

const pause = (ms: number, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    over.addEventListener('abort', () => resolve(), { once: true });
  });

/** Holds the stream, and opens it anew, until it is no longer wanted. */
async function hold({ stop: { signal: over }, hasStood }: Live): Promise<void> {
  // Between two who hold it something may have been missed: by the other tabs, and here if this one only joined before.
  let takeOver = (): void => {
    tabs.postMessage({ kind: 'reset' } satisfies Word);
    if (hasStood) take({ kind: 'reset' });
    takeOver = () => {};
  };
  for (;;) {
    await listen(over, () => takeOver());
    if (over.aborted) return;
    live?.onRefused();
    const wait = pauses[Math.min(failures, pauses.length - 1)]!;
    failures += 1;
    await pause(wait * (0.5 + Math.random()), over);
    if (over.aborted) return;
    if (live) live.isLate = true;
  }
}

function begin(onEnd: () => void, onRefused: () => void): Live {
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  const begun: Live = {
    stop: new AbortController(),
    ready,
    isReady,
    isLate: false,
    hasStood: false,
    onEnd,
    onRefused,
  };
  const tooLate = setTimeout(() => {
    begun.isLate = true;
    isReady();
  }, patienceMs);
  void ready.then(() => clearTimeout(tooLate));
  navigator.locks.request(lockName, { signal: begun.stop.signal }, () => hold(begun)).catch(() => {});
  tabs.postMessage({ kind: 'who' } satisfies Word);
  return begun;
}

/**
 * Opens the stream, or joins the one of another tab; resolves when hints come. `onEnd` is called when one is signed out,
 * `onRefused` when the server does not let us listen: perhaps one is signed out without having been told.
 */
export function startLive(onEnd: () => void, onRefused: () => void): Promise<void> {
  live ??= begin(onEnd, onRefused);
  return live.ready;
}

/** Stops listening; the other tabs are told when one has signed out. */
export function stopLive(): void {
  if (!live) return;
  live.stop.abort();
  live = undefined;
  stream = undefined;
  tabs.postMessage({ kind: 'end' } satisfies Word);
}
