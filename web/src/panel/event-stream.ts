/**
 * The stream of change events from the server, and the subscriptions to its topics. All tabs of a browser share one
 * stream, because browsers limit the connections per server: one tab holds it and broadcasts its events to the others.
 */
import { signal } from '@preact/signals';
import type { PanelEvent, Topic } from '@drawbridge/contract/panel/events';

/** Receives the ids of the records that changed, or undefined when any record may have changed. */
export type ChangeListener = (ids: readonly number[] | undefined) => void;

/** Messages between tabs. `who` asks the tab that holds the stream whether the stream is open. */
type TabMessage = { kind: 'change'; event: PanelEvent } | { kind: 'reset' | 'end' | 'up' | 'down' | 'who' };

export const isStreamOpen = signal(true);

const listeners = new Map<Topic, Set<ChangeListener>>();

export function subscribeToTopic(topic: Topic, listener: ChangeListener): () => void {
  const subscribers = listeners.get(topic) ?? new Set();
  listeners.set(topic, subscribers.add(listener));
  return () => void subscribers.delete(listener);
}

const notify = ({ topic, ids }: PanelEvent): void =>
  listeners.get(topic)?.forEach((listener) => listener(ids));

const notifyAll = (): void => {
  for (const all of listeners.values()) all.forEach((listener) => listener(undefined));
};

const tabs = new BroadcastChannel('drawbridge.panel');
/** The tab that holds the stream holds this lock; when that tab closes, another tab gets it. */
const lockName = 'drawbridge.panel';
/** Delays grow, and each is randomized, so that clients do not all reconnect at once when the server returns. */
const retryDelaysMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** After this timeout a page loads without the stream, and loads everything again once the stream is open. */
const readyTimeoutMs = 1_000;

interface StreamHandle {
  stop: AbortController;
  /** Resolves when the stream is open, or after the timeout. */
  ready: Promise<void>;
  markReady: () => void;
  /** Set when pages did not wait for the stream: their data may be outdated. */
  isLate: boolean;
  /** Set once the stream was open, here or in another tab: pages rely on it from then on. */
  wasOpen: boolean;
  onEnd: () => void;
  onRefused: () => void;
}

let current: StreamHandle | undefined;

function handleMessage(message: TabMessage): void {
  if (!current) return;
  if (message.kind === 'change') notify(message.event);
  if (message.kind === 'reset') notifyAll();
  if (message.kind === 'end') current.onEnd();
  if (message.kind === 'down') isStreamOpen.value = false;
  if (message.kind === 'up') {
    isStreamOpen.value = true;
    if (current.isLate) notifyAll();
    current.isLate = false;
    current.wasOpen = true;
    current.markReady();
  }
}

/** Delivers a message to this tab and to the others. */
function broadcast(message: TabMessage): void {
  tabs.postMessage(message);
  handleMessage(message);
}

tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  if (data.kind !== 'who') handleMessage(data);
  else if (stream?.readyState === EventSource.OPEN) tabs.postMessage({ kind: 'up' } satisfies TabMessage);
});

let stream: EventSource | undefined;
let failures = 0;

/** Resolves when the stream has ended and the browser does not reconnect it. */
function openStream(abortSignal: AbortSignal, onOpen: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const opened = new EventSource('/panel/api/events');
  stream = opened;
  const end = (): void => {
    opened.close();
    resolve();
  };
  opened.addEventListener('open', () => {
    failures = 0;
    broadcast({ kind: 'up' });
    onOpen();
  });
  opened.addEventListener('change', ({ data }: MessageEvent<string>) =>
    broadcast({ kind: 'change', event: JSON.parse(data) as PanelEvent }),
  );
  opened.addEventListener('reset', () => broadcast({ kind: 'reset' }));
  opened.addEventListener('end', () => {
    end();
    broadcast({ kind: 'end' });
  });
  opened.addEventListener('error', () => {
    broadcast({ kind: 'down' });
    // The browser reconnects by itself unless the server refused the request; then the stream is closed.
    if (opened.readyState === EventSource.CLOSED) end();
  });
  abortSignal.addEventListener('abort', end, { once: true });
  return promise;
}

const sleep = (ms: number, abortSignal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    abortSignal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Opens the stream, and opens it again each time it ends, until the handle is stopped. */
async function keepStreamOpen({ stop: { signal: abortSignal }, wasOpen }: StreamHandle): Promise<void> {
  // Events may have been lost while the stream passed from one tab to another. The other tabs must load again, and so
  // must this one if it relied on the stream of another tab.
  let announceTakeover = (): void => {
    tabs.postMessage({ kind: 'reset' } satisfies TabMessage);
    if (wasOpen) handleMessage({ kind: 'reset' });
    announceTakeover = () => {};
  };
  for (;;) {
    await openStream(abortSignal, () => announceTakeover());
    if (abortSignal.aborted) return;
    current?.onRefused();
    const delay = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)]!;
    failures += 1;
    await sleep(delay * (0.5 + Math.random()), abortSignal);
    if (abortSignal.aborted) return;
    if (current) current.isLate = true;
  }
}

function createHandle(onEnd: () => void, onRefused: () => void): StreamHandle {
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>();
  const created: StreamHandle = {
    stop: new AbortController(),
    ready,
    markReady,
    isLate: false,
    wasOpen: false,
    onEnd,
    onRefused,
  };
  const timer = setTimeout(() => {
    created.isLate = true;
    markReady();
  }, readyTimeoutMs);
  void ready.then(() => clearTimeout(timer));
  navigator.locks
    .request(lockName, { signal: created.stop.signal }, () => keepStreamOpen(created))
    .catch(() => {});
  tabs.postMessage({ kind: 'who' } satisfies TabMessage);
  return created;
}

/**
 * Opens the stream or joins the one of another tab; resolves when events arrive. `onEnd` is called when the user is
 * signed out, `onRefused` when the server refuses the stream: the user may have been signed out unnoticed.
 */
export function startEventStream(onEnd: () => void, onRefused: () => void): Promise<void> {
  current ??= createHandle(onEnd, onRefused);
  return current.ready;
}

/** Closes the stream and tells the other tabs that the user is signed out. */
export function stopEventStream(): void {
  if (!current) return;
  current.stop.abort();
  current = undefined;
  stream = undefined;
  tabs.postMessage({ kind: 'end' } satisfies TabMessage);
}
