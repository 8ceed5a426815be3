/**
 * What changes elsewhere: one stream of hints from the server, and those who want to hear of a topic. All tabs of a
 * browser share one stream, as browsers allow a server only a few connections: one tab holds it and passes on what it hears.
 */
import { signal } from '@preact/signals';
import type { PanelEvent, Topic } from '@drawbridge/contract/panel/events';

/** `ids` of what changed; undefined when all of it may have. */
export type ChangeListener = (ids: readonly number[] | undefined) => void;

/** What tabs tell each other. `who` asks whoever holds the stream how it is. */
type TabMessage = { kind: 'change'; event: PanelEvent } | { kind: 'reset' | 'end' | 'up' | 'down' | 'who' };

/** Whether the stream stands. */
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
/** Held by the tab that holds the stream; when that tab is gone, another has it. */
const lockName = 'drawbridge.panel';
/** From half a second up: a server that comes back is not met by everybody at once. */
const retryDelaysMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** After this a page no longer waits for the stream, and asks for everything anew once it stands. */
const readyTimeoutMs = 1_000;

interface StreamHandle {
  stop: AbortController;
  /** Resolves when hints come, or when that takes too long. */
  ready: Promise<void>;
  markReady: () => void;
  /** Set when pages did not wait: what they asked for may be old already. */
  isLate: boolean;
  /** Set when the stream stood before, here or in another tab: pages rely on it. */
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

/** To this tab and to the others. */
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

/** Resolves when the stream has ended for good, or was refused. */
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
    // The browser tries again by itself unless it was refused; then it is up to us.
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

/** Holds the stream, and opens it anew, until it is no longer wanted. */
async function keepStreamOpen({ stop: { signal: abortSignal }, wasOpen }: StreamHandle): Promise<void> {
  // Between two who hold it something may have been missed: by the other tabs, and here if this one only joined before.
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
 * Opens the stream, or joins the one of another tab; resolves when hints come. `onEnd` is called when one is signed out,
 * `onRefused` when the server does not let us listen: perhaps one is signed out without having been told.
 */
export function startEventStream(onEnd: () => void, onRefused: () => void): Promise<void> {
  current ??= createHandle(onEnd, onRefused);
  return current.ready;
}

/** Stops listening; the other tabs are told when one has signed out. */
export function stopEventStream(): void {
  if (!current) return;
  current.stop.abort();
  current = undefined;
  stream = undefined;
  tabs.postMessage({ kind: 'end' } satisfies TabMessage);
}
