/** The live panel: notifies open panels of changes, whichever process made them. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { createFairSlots, type FairSlots } from '@drawbridge/contract/fair-slots';
import type { Readable } from 'node:stream';
import type { Bus } from '../../bus/bus.ts';
import type { Log } from '../../edges/log.ts';
import type { Store } from '../../store/store.ts';
import { createAccountChannel, type AccountChannel, type EventSubscriber } from './account-channel.ts';
import { hintsOf } from './change-topics.ts';
import type { Hint } from './hint.ts';
import { openEventStream } from './event-stream.ts';

export interface PanelEventsDeps {
  store: Store;
  bus: Bus;
  log: Log;
  /** A name that no other process ever has. */
  node: string;
  /**
   * For this process. When all are in use, the account with the most streams loses its newest one to an account with
   * fewer.
   */
  maxStreams?: number;
}

/** Who subscribes, and the last event they received. */
interface SubscribeRequest {
  accountId: number;
  memberId: number;
  sessionId: number;
  lastId: string | undefined;
}

export interface PanelEvents {
  /** The same store, which also publishes the changes made through it. */
  store: Store;
  subscribe(request: SubscribeRequest): Promise<Readable | Fault<'busy'>>;
  /** For the open panels of all accounts on this server, not over the bus. */
  publishHere(hints: readonly Hint[]): void;
  close(): void;
}

const subjectOf = (accountId: number): string => `panel.${accountId}`;

/** The most streams of one panel session, and of one person. */
const [maxPerSession, maxPerMember] = [8, 24];
/** Limits memory: each stream takes at most about 100 KiB. */
const defaultMaxStreams = 4_096;
/** Proxies may end a stream on which nothing is sent for longer. */
export const streamKeepAliveMs = 15_000;
/**
 * How often subscribers are checked for being signed in, and devices for being online. A change is noticed within this
 * time.
 */
const checkEveryMs = 3_000;
/** How long a channel stays open without subscribers, because clients may reconnect. */
const idleTimeoutMs = 60_000;

interface ChannelEntry {
  channel: AccountChannel;
  subscribers: Set<EventSubscriber>;
  unsubscribe(): void;
  closeTimer?: NodeJS.Timeout;
}

interface State {
  store: Store;
  bus: Bus;
  log: Log;
  node: string;
  channels: Map<number, ChannelEntry>;
  slots: FairSlots<EventSubscriber>;
  /** How many channels were ever opened, for their names. */
  opened: number;
  isClosed: boolean;
  /** The time up to which expired leases were published. */
  checkedAt: number;
}

export function createPanelEvents(deps: PanelEventsDeps): PanelEvents {
  const { store, bus, log, node, maxStreams = defaultMaxStreams } = deps;
  const limits = { all: maxStreams, each: maxStreams };
  // Not `endSignedOut`: the page reconnects, and is refused while there is no free slot.
  const slots = createFairSlots<EventSubscriber>(limits, ({ stream }) => stream.close());
  const channels = new Map<number, ChannelEntry>();
  const state: State = {
    store,
    bus,
    log,
    node,
    channels,
    slots,
    opened: 0,
    isClosed: false,
    checkedAt: store.now(),
  };
  const stopTimers = startTimers(state);
  bus.onGap(() => {
    for (const { channel } of channels.values()) channel.reset();
  });
  return {
    store: publishingStore(store, (accountId, hints) => publishHints(state, accountId, hints)),
    subscribe: (request) => subscribe(state, request),
    publishHere(hints) {
      for (const { channel } of channels.values()) channel.publish(hints);
    },
    close() {
      state.isClosed = true;
      stopTimers();
      for (const [accountId, entry] of channels) closeChannel(state, accountId, entry);
    },
  };
}

function startTimers(state: State): () => void {
  const warn = (error: unknown): void => state.log.warn({ err: error }, 'checking the open panels failed');
  const checkTimer = setInterval(() => void check(state).catch(warn), checkEveryMs).unref();
  const keepAliveTimer = setInterval(() => keepAlive(state), streamKeepAliveMs).unref();
  return () => {
    clearInterval(checkTimer);
    clearInterval(keepAliveTimer);
  };
}

async function check(state: State): Promise<void> {
  if (state.channels.size === 0) return void (state.checkedAt = state.store.now());
  await publishLapsedLeases(state);
  for (const { channel } of state.channels.values()) await channel.check();
}

/** Publishes leases that expired because their holder is gone: nobody else would report them. */
async function publishLapsedLeases(state: State): Promise<void> {
  const [since, now] = [state.checkedAt, state.store.now()];
  if (now <= since) return;
  const lapsed = await state.store.visibility.lapsed(since, now);
  state.checkedAt = now;
  for (const { accountId, id } of lapsed)
    state.channels.get(accountId)?.channel.publish([{ topic: 'agents', ids: [id] }]);
}

function keepAlive({ channels }: State): void {
  for (const { subscribers } of channels.values()) for (const { stream } of subscribers) stream.keepAlive();
}

function publishHints({ channels, bus, node }: State, accountId: number, hints: readonly Hint[]): void {
  // Published directly as well, so that it does not depend on the bus being connected.
  channels.get(accountId)?.channel.publish(hints);
  bus.publish(subjectOf(accountId), { node, hints });
}

function openChannel(state: State, accountId: number): ChannelEntry {
  const { channels, store, log, bus, node } = state;
  const known = channels.get(accountId);
  if (known) return known;
  const name = `${node}-${++state.opened}`;
  const channel = createAccountChannel(accountId, { store, now: store.now, log, name });
  const unsubscribe = bus.subscribe(subjectOf(accountId), (message) => {
    const published = message as { node: string; hints: Hint[] };
    if (published.node !== node) channel.publish(published.hints);
  });
  const entry = { channel, subscribers: new Set<EventSubscriber>(), unsubscribe };
  channels.set(accountId, entry);
  return entry;
}

function closeChannel({ channels }: State, accountId: number, entry: ChannelEntry): void {
  channels.delete(accountId);
  clearTimeout(entry.closeTimer);
  entry.unsubscribe();
  entry.channel.close();
}

async function subscribe(state: State, request: SubscribeRequest): Promise<Readable | Fault<'busy'>> {
  const { accountId, memberId, sessionId, lastId } = request;
  const owner = { narrow: String(accountId), wide: String(accountId) };
  if (!state.slots.hasRoomFor(owner)) return serverFull;
  const entry = openChannel(state, accountId);
  if (isOverLimit(entry, request)) return tooManyStreams;
  clearTimeout(entry.closeTimer);
  const stream = openEventStream(() => removeSubscriber(state, accountId, entry, subscriber));
  const subscriber: EventSubscriber = { memberId, sessionId, stream };
  state.slots.acquire(subscriber, owner);
  entry.subscribers.add(subscriber);
  if (state.isClosed) closeChannel(state, accountId, entry);
  try {
    await entry.channel.subscribe(subscriber, lastId);
  } catch (error) {
    stream.close();
    throw error;
  }
  return stream.readable;
}

function isOverLimit({ subscribers }: ChannelEntry, { sessionId, memberId }: SubscribeRequest): boolean {
  const ofMember = [...subscribers].filter((each) => each.memberId === memberId);
  const ofSession = ofMember.filter((each) => each.sessionId === sessionId);
  return ofMember.length >= maxPerMember || ofSession.length >= maxPerSession;
}

function removeSubscriber(
  state: State,
  accountId: number,
  entry: ChannelEntry,
  subscriber: EventSubscriber,
): void {
  state.slots.release(subscriber);
  entry.subscribers.delete(subscriber);
  entry.channel.unsubscribe(subscriber);
  if (entry.subscribers.size > 0 || state.channels.get(accountId) !== entry) return;
  entry.closeTimer = setTimeout(() => closeChannel(state, accountId, entry), idleTimeoutMs).unref();
}

/** The store, which also publishes the hints of every committed change. */
const publishingStore = (
  store: Store,
  publish: (accountId: number, hints: readonly Hint[]) => void,
): Store => ({
  ...store,
  async change(name, input, auditLine) {
    const outcome = await store.change(name, input, auditLine);
    const hints = Map.groupBy(hintsOf(name, input, outcome), ({ accountId }) => accountId);
    for (const [accountId, own] of hints) publish(accountId, own);
    return outcome;
  },
});

const tooManyStreams = fault('busy', {
  code: 'too_many_streams',
  message: 'The panel is open in too many places at once. Close some of its pages.',
});
const serverFull = fault('busy', {
  code: 'too_many_streams',
  message: 'The panel is open for too many people at once. Try again in a moment.',
});
