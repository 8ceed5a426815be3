/**
 * The live events of one account while anyone has its panel open: collects hints, resolves them and sends them to
 * subscribers.
 */
import type { PanelEvent } from '@drawbridge/contract/panel/events';
import { isLive } from '../../domain/people/panel.ts';
import type { Log } from '../../edges/log.ts';
import type { Reads } from '../../store/store.ts';
import { loadDeviceGroups, resolveChanges, type DeviceGroups } from './resolve-changes.ts';
import type { Hint } from './hint.ts';
import type { EventStream } from './event-stream.ts';
import {
  rightsChangedEvents,
  eventsFor,
  visibilityOf,
  type AccountChanges,
  type Visibility,
} from './account-changes.ts';

export interface AccountChannelDeps {
  store: Reads;
  now(): number;
  log: Log;
  /** Distinguishes this channel from all others, also after a restart. */
  name: string;
}

/** An open event stream and who reads it. */
export interface EventSubscriber {
  sessionId: number;
  memberId: number;
  stream: EventStream;
}

interface JoinedSubscriber extends EventSubscriber {
  visibility: Visibility;
  /** The rights version of the account when their rights were read. */
  rightsVersion: number;
}

export interface AccountChannel {
  publish(hints: readonly Hint[]): void;
  /** Sends the events that the person may see, beginning with those missed since `lastId`. */
  subscribe(subscriber: EventSubscriber, lastId: string | undefined): Promise<void>;
  unsubscribe(subscriber: EventSubscriber): void;
  /** Checks whether the subscribers are still signed in and have the same rights. */
  check(): Promise<void>;
  /** Called when hints may have been lost. */
  reset(): void;
  close(): void;
}

/** Every subscriber receives at most one event per topic in this time. */
const minIntervalMs = 250;
/** A single change is sent after this delay, so that related changes are sent with it. */
const batchDelayMs = 20;
/** The number of batches kept for clients that reconnect. */
const maxBacklog = 100;

interface Batch {
  number: number;
  changes: AccountChanges;
}

interface State extends AccountChannelDeps {
  accountId: number;
  subscribers: Map<EventSubscriber, JoinedSubscriber>;
  pendingHints: Hint[];
  /** The last batches that were sent, oldest first. */
  backlog: Batch[];
  lastNumber: number;
  /** When the last batch was sent, on the monotonic clock. */
  sentAt: number;
  timer: NodeJS.Timeout | undefined;
  isFlushing: boolean;
  isClosed: boolean;
  deviceGroups: Promise<DeviceGroups> | undefined;
  /** The checks that have begun: each waits for the one before. */
  checks: Promise<void>;
}

export function createAccountChannel(accountId: number, deps: AccountChannelDeps): AccountChannel {
  const state: State = {
    ...deps,
    accountId,
    subscribers: new Map(),
    pendingHints: [],
    backlog: [],
    lastNumber: 0,
    sentAt: -Infinity,
    timer: undefined,
    isFlushing: false,
    isClosed: false,
    deviceGroups: undefined,
    checks: Promise.resolve(),
  };
  return {
    publish: (hints) => publish(state, hints),
    subscribe: (subscriber, lastId) => subscribe(state, subscriber, lastId),
    unsubscribe: (subscriber) => void state.subscribers.delete(subscriber),
    check: () => check(state),
    reset: () => reset(state),
    close: () => close(state),
  };
}

function publish(state: State, hints: readonly Hint[]): void {
  state.pendingHints.push(...hints);
  schedule(state);
}

function schedule(state: State): void {
  if (state.isClosed || state.isFlushing || state.timer || state.pendingHints.length === 0) return;
  const delay = Math.max(batchDelayMs, state.sentAt + minIntervalMs - performance.now());
  state.timer = setTimeout(() => void run(state), delay);
}

async function run(state: State): Promise<void> {
  state.timer = undefined;
  state.isFlushing = true;
  state.sentAt = performance.now();
  try {
    await flush(state);
  } catch (error) {
    state.log.warn(
      { err: error, account: state.accountId },
      'changes could not be sent; the clients fetch everything again',
    );
    reset(state);
  }
  state.isFlushing = false;
  schedule(state);
}

async function flush(state: State): Promise<void> {
  const { store, accountId } = state;
  const hints = state.pendingHints;
  state.pendingHints = [];
  const deviceGroups = await deviceGroupsOf(state);
  const changes = await resolveChanges(hints, { store, accountId, deviceGroups });
  // Rights are checked last: somebody who lost one during the lookup is no longer notified.
  await check(state);
  const number = ++state.lastNumber;
  state.backlog = [...state.backlog, { number, changes }].slice(-maxBacklog);
  for (const subscriber of state.subscribers.values()) sendBatch(state, subscriber, { number, changes });
}

function deviceGroupsOf(state: State): Promise<DeviceGroups> {
  state.deviceGroups ??= loadDeviceGroups(state.store, state.accountId).catch((error: unknown) => {
    state.deviceGroups = undefined; // the next caller retries
    throw error;
  });
  return state.deviceGroups;
}

function sendBatch(state: State, subscriber: JoinedSubscriber, { number, changes }: Batch): void {
  const events = eventsFor(changes, subscriber.visibility, subscriber.sessionId);
  sendEvents(state, subscriber, events, number);
}

function sendEvents(
  state: State,
  subscriber: JoinedSubscriber,
  events: readonly PanelEvent[],
  number: number,
): void {
  for (const event of events) subscriber.stream.sendChange(event, eventIdAt(state, number, subscriber));
}

const eventIdAt = ({ name }: State, number: number, { rightsVersion }: JoinedSubscriber): string =>
  `${name}.${number}.${rightsVersion}`;

function reset(state: State): void {
  state.backlog = [];
  state.deviceGroups = undefined;
  const number = ++state.lastNumber;
  for (const subscriber of state.subscribers.values())
    subscriber.stream.sendReset(eventIdAt(state, number, subscriber));
}

/** Checks run one after the other, so that nobody is notified twice. */
const check = (state: State): Promise<void> =>
  (state.checks = state.checks.catch(() => {}).then(() => checkSubscribers(state)));

/** Ends the streams of people who signed out or were removed, and recomputes visibility where rights may have changed. */
async function checkSubscribers(state: State): Promise<void> {
  const subscribers = [...state.subscribers.values()];
  if (subscribers.length === 0) return;
  const sessions = await state.store.visibility.signedIn(subscribers.map(({ sessionId }) => sessionId));
  const sessionsById = new Map(sessions.map((session) => [session.id, session]));
  for (const subscriber of subscribers) {
    const session = sessionsById.get(subscriber.sessionId);
    if (!session || !isLive(session, state.now())) subscriber.stream.endSignedOut();
    else if (session.rightsVersion !== subscriber.rightsVersion)
      await refreshRights(state, subscriber, session.rightsVersion);
  }
}

async function refreshRights(
  state: State,
  subscriber: JoinedSubscriber,
  rightsVersion: number,
): Promise<void> {
  const actor = await state.store.actors.byId(state.accountId, subscriber.memberId);
  if (!actor) return subscriber.stream.endSignedOut();
  const isSame = JSON.stringify(actor) === JSON.stringify(subscriber.visibility.actor);
  Object.assign(subscriber, { rightsVersion, ...(!isSame && { visibility: visibilityOf(actor) }) });
  if (!isSame) sendEvents(state, subscriber, rightsChangedEvents, state.lastNumber);
}

async function subscribe(
  state: State,
  subscriber: EventSubscriber,
  lastId: string | undefined,
): Promise<void> {
  const { stream, sessionId, memberId } = subscriber;
  const [session] = await state.store.visibility.signedIn([sessionId]);
  const actor = await state.store.actors.byId(state.accountId, memberId);
  await deviceGroupsOf(state);
  if (!session || !actor) return stream.endSignedOut();
  const { rightsVersion } = session;
  const joined: JoinedSubscriber = { ...subscriber, visibility: visibilityOf(actor), rightsVersion };
  const missed = lastId === undefined ? [] : missedSince(state, lastId, joined);
  stream.open(eventIdAt(state, state.lastNumber, joined));
  if (missed === undefined) stream.sendReset(eventIdAt(state, state.lastNumber, joined));
  for (const batch of missed ?? []) sendBatch(state, joined, batch);
  if (!stream.closed) state.subscribers.set(subscriber, joined);
}

/** The batches after this event id; undefined when they are no longer known. */
function missedSince(
  { backlog, lastNumber, name }: State,
  lastId: string,
  subscriber: JoinedSubscriber,
): Batch[] | undefined {
  const [channelName, numberText = '', rightsVersion] = lastId.split('.');
  const number = Number(numberText);
  const oldest = backlog[0]?.number ?? lastNumber + 1;
  const isKnown = channelName === name && rightsVersion === String(subscriber.rightsVersion);
  if (!isKnown || !(number >= oldest - 1 && number <= lastNumber)) return undefined;
  return backlog.filter((batch) => batch.number > number);
}

function close(state: State): void {
  state.isClosed = true;
  clearTimeout(state.timer);
  for (const { stream } of state.subscribers.values()) stream.close();
}
