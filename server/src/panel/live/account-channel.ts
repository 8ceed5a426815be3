/**
 * The live events of one account while anyone has its panel open: collects hints, resolves them and sends them to
 * subscribers.
 */
import type { PanelEvent } from '@drawbridge/contract/panel/events';
import { isLive } from '../../domain/panel.ts';
import type { Log } from '../../edges/log.ts';
import type { Reads } from '../../store/store.ts';
import { loadDeviceGroups, resolveChanges, type DeviceGroups } from './resolve-changes.ts';
import type { Hint } from './change-topics.ts';
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

export function createAccountChannel(
  accountId: number,
  { store, now, log, name }: AccountChannelDeps,
): AccountChannel {
  const subscribers = new Map<EventSubscriber, JoinedSubscriber>();
  let loading: Promise<DeviceGroups> | undefined;
  let checking: Promise<void> = Promise.resolve();
  let pendingHints: Hint[] = [];
  let backlog: { number: number; changes: AccountChanges }[] = [];
  let [last, sentAt] = [0, -Infinity];
  let timer: NodeJS.Timeout | undefined;
  let [busy, closed] = [false, false];

  const deviceGroups = (): Promise<DeviceGroups> =>
    (loading ??= loadDeviceGroups(store, accountId).catch((error: unknown) => {
      loading = undefined; // the next who needs them tries again
      throw error;
    }));
  const eventIdAt = (number: number, { rightsVersion }: JoinedSubscriber): string =>
    `${name}.${number}.${rightsVersion}`;
  const sendEvents = (subscriber: JoinedSubscriber, events: readonly PanelEvent[], number: number): void => {
    for (const event of events) subscriber.stream.sendChange(event, eventIdAt(number, subscriber));
  };

  /** Ends those who are signed out or gone, and works out anew what is seen by those whose rights may have changed. */
  async function checkNow(): Promise<void> {
    const all = [...subscribers.values()];
    if (all.length === 0) return;
    const found = await store.visibility.signedIn(all.map(({ sessionId }) => sessionId));
    const sessionsById = new Map(found.map((each) => [each.id, each]));
    for (const subscriber of all) {
      const session = sessionsById.get(subscriber.sessionId);
      if (!session || !isLive(session, now())) subscriber.stream.endSignedOut();
      else if (session.rightsVersion !== subscriber.rightsVersion)
        await refreshRights(subscriber, session.rightsVersion);
    }
  }

  /** One after the other, so that nobody is told twice. */
  const check = (): Promise<void> => (checking = checking.catch(() => {}).then(checkNow));

  async function refreshRights(subscriber: JoinedSubscriber, rightsVersion: number): Promise<void> {
    const actor = await store.actors.byId(accountId, subscriber.memberId);
    if (!actor) return subscriber.stream.endSignedOut();
    const isSame = JSON.stringify(actor) === JSON.stringify(subscriber.visibility.actor);
    Object.assign(subscriber, { rightsVersion, ...(!isSame && { visibility: visibilityOf(actor) }) });
    if (!isSame) sendEvents(subscriber, rightsChangedEvents, last);
  }

  async function flush(): Promise<void> {
    const hints = pendingHints;
    pendingHints = [];
    const changes = await resolveChanges(hints, { store, accountId, deviceGroups: await deviceGroups() });
    // Rights last: whoever lost one while the rest was looked up does not hear of it any more.
    await check();
    const number = ++last;
    backlog = [...backlog, { number, changes }].slice(-maxBacklog);
    for (const subscriber of subscribers.values())
      sendEvents(subscriber, eventsFor(changes, subscriber.visibility, subscriber.sessionId), number);
  }

  function reset(): void {
    backlog = [];
    loading = undefined;
    const number = ++last;
    for (const subscriber of subscribers.values()) subscriber.stream.sendReset(eventIdAt(number, subscriber));
  }

  const schedule = (): void => {
    if (closed || busy || timer || pendingHints.length === 0) return;
    timer = setTimeout(() => void run(), Math.max(batchDelayMs, sentAt + minIntervalMs - performance.now()));
  };
  async function run(): Promise<void> {
    timer = undefined;
    [busy, sentAt] = [true, performance.now()];
    try {
      await flush();
    } catch (error) {
      log.warn(
        { err: error, account: accountId },
        'changes could not be sent; the clients fetch everything again',
      );
      reset();
    }
    busy = false;
    schedule();
  }

  /** What somebody missed who had heard everything up to this id; undefined when that is not known any more. */
  function missedSince(lastId: string, subscriber: JoinedSubscriber): typeof backlog | undefined {
    const [of, number = '', rightsVersion] = lastId.split('.');
    const [oldest, asked] = [backlog[0]?.number ?? last + 1, Number(number)];
    const isKnown = of === name && rightsVersion === String(subscriber.rightsVersion);
    if (!isKnown || !(asked >= oldest - 1 && asked <= last)) return undefined;
    return backlog.filter((each) => each.number > asked);
  }

  return {
    publish(hints) {
      pendingHints.push(...hints);
      schedule();
    },
    async subscribe(subscriber, lastId) {
      const [session] = await store.visibility.signedIn([subscriber.sessionId]);
      const actor = await store.actors.byId(accountId, subscriber.memberId);
      await deviceGroups();
      if (!session || !actor) return subscriber.stream.endSignedOut();
      const { rightsVersion } = session;
      const joined: JoinedSubscriber = { ...subscriber, visibility: visibilityOf(actor), rightsVersion };
      const changes = lastId === undefined ? [] : missedSince(lastId, joined);
      subscriber.stream.open(eventIdAt(last, joined));
      if (changes === undefined) subscriber.stream.sendReset(eventIdAt(last, joined));
      for (const { number, changes: each } of changes ?? [])
        sendEvents(joined, eventsFor(each, joined.visibility, joined.sessionId), number);
      if (!subscriber.stream.closed) subscribers.set(subscriber, joined);
    },
    unsubscribe: (subscriber) => void subscribers.delete(subscriber),
    check,
    reset,
    close() {
      closed = true;
      clearTimeout(timer);
      for (const { stream } of subscribers.values()) stream.close();
    },
  };
}
