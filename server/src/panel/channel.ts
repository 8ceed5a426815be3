/** What goes on in one account while somebody of it has the panel open: hints are gathered, judged and passed on. */
import type { PanelEvent } from '@drawbridge/contract/panel/events';
import { isLive } from '../domain/panel.ts';
import type { Log } from '../log.ts';
import type { Reads } from '../store/store.ts';
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

export interface ChannelServices {
  store: Reads;
  now(): number;
  log: Log;
  /** Told apart from those of every other channel, also after a restart. */
  name: string;
}

/** Somebody who listens. */
export interface Listener {
  sessionId: number;
  memberId: number;
  stream: EventStream;
}

interface Hearing extends Listener {
  visibility: Visibility;
  /** How often rights had changed in the account when theirs were read. */
  rightsVersion: number;
}

export interface Channel {
  hear(hints: readonly Hint[]): void;
  /** From here on they hear what they may; what they missed since `lastId` first. */
  join(listener: Listener, lastId: string | undefined): Promise<void>;
  leave(listener: Listener): void;
  /** Looks whether those who listen are still signed in, and have the rights they had. */
  look(): Promise<void>;
  /** Some may have been missed. */
  reset(): void;
  close(): void;
}

/** Every listener gets at most one event of a topic in this time. */
const everyMs = 250;
/** A single change is passed on after this time, so that what belongs to it goes along. */
const gatherMs = 20;
/** How much is kept for those who lost their connection and come back. */
const keptNews = 100;

export function createChannel(accountId: number, { store, now, log, name }: ChannelServices): Channel {
  const hearing = new Map<Listener, Hearing>();
  let loading: Promise<DeviceGroups> | undefined;
  let turn: Promise<void> = Promise.resolve();
  let gathered: Hint[] = [];
  let kept: { number: number; changes: AccountChanges }[] = [];
  let [last, sentAt] = [0, -Infinity];
  let timer: NodeJS.Timeout | undefined;
  let [busy, closed] = [false, false];

  const deviceGroups = (): Promise<DeviceGroups> =>
    (loading ??= loadDeviceGroups(store, accountId).catch((error: unknown) => {
      loading = undefined; // the next who needs them tries again
      throw error;
    }));
  const idAt = (number: number, { rightsVersion }: Hearing): string => `${name}.${number}.${rightsVersion}`;
  const tell = (listener: Hearing, events: readonly PanelEvent[], number: number): void => {
    for (const event of events) listener.stream.sendChange(event, idAt(number, listener));
  };

  /** Ends those who are signed out or gone, and works out anew what is seen by those whose rights may have changed. */
  async function lookNow(): Promise<void> {
    const all = [...hearing.values()];
    if (all.length === 0) return;
    const found = await store.visibility.signedIn(all.map(({ sessionId }) => sessionId));
    const standing = new Map(found.map((each) => [each.id, each]));
    for (const listener of all) {
      const session = standing.get(listener.sessionId);
      if (!session || !isLive(session, now())) listener.stream.endSignedOut();
      else if (session.rightsVersion !== listener.rightsVersion)
        await lookAgain(listener, session.rightsVersion);
    }
  }

  /** One after the other, so that nobody is told twice. */
  const look = (): Promise<void> => (turn = turn.catch(() => {}).then(lookNow));

  async function lookAgain(listener: Hearing, rightsVersion: number): Promise<void> {
    const actor = await store.actors.byId(accountId, listener.memberId);
    if (!actor) return listener.stream.endSignedOut();
    const isSame = JSON.stringify(actor) === JSON.stringify(listener.visibility.actor);
    Object.assign(listener, { rightsVersion, ...(!isSame && { visibility: visibilityOf(actor) }) });
    if (!isSame) tell(listener, rightsChangedEvents, last);
  }

  async function pass(): Promise<void> {
    const hints = gathered;
    gathered = [];
    const changes = await resolveChanges(hints, { store, accountId, deviceGroups: await deviceGroups() });
    // Rights last: whoever lost one while the rest was looked up does not hear of it any more.
    await look();
    const number = ++last;
    kept = [...kept, { number, changes }].slice(-keptNews);
    for (const listener of hearing.values())
      tell(listener, eventsFor(changes, listener.visibility, listener.sessionId), number);
  }

  function reset(): void {
    kept = [];
    loading = undefined;
    const number = ++last;
    for (const listener of hearing.values()) listener.stream.sendReset(idAt(number, listener));
  }

  const schedule = (): void => {
    if (closed || busy || timer || gathered.length === 0) return;
    timer = setTimeout(() => void run(), Math.max(gatherMs, sentAt + everyMs - performance.now()));
  };
  async function run(): Promise<void> {
    timer = undefined;
    [busy, sentAt] = [true, performance.now()];
    try {
      await pass();
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
  function missed(lastId: string, listener: Hearing): typeof kept | undefined {
    const [of, number = '', rightsVersion] = lastId.split('.');
    const [oldest, asked] = [kept[0]?.number ?? last + 1, Number(number)];
    const isKnown = of === name && rightsVersion === String(listener.rightsVersion);
    if (!isKnown || !(asked >= oldest - 1 && asked <= last)) return undefined;
    return kept.filter((each) => each.number > asked);
  }

  return {
    hear(hints) {
      gathered.push(...hints);
      schedule();
    },
    async join(listener, lastId) {
      const [session] = await store.visibility.signedIn([listener.sessionId]);
      const actor = await store.actors.byId(accountId, listener.memberId);
      await deviceGroups();
      if (!session || !actor) return listener.stream.endSignedOut();
      const { rightsVersion } = session;
      const joined: Hearing = { ...listener, visibility: visibilityOf(actor), rightsVersion };
      const changes = lastId === undefined ? [] : missed(lastId, joined);
      listener.stream.open(idAt(last, joined));
      if (changes === undefined) listener.stream.sendReset(idAt(last, joined));
      for (const { number, changes: each } of changes ?? [])
        tell(joined, eventsFor(each, joined.visibility, joined.sessionId), number);
      if (!listener.stream.closed) hearing.set(listener, joined);
    },
    leave: (listener) => void hearing.delete(listener),
    look,
    reset,
    close() {
      closed = true;
      clearTimeout(timer);
      for (const { stream } of hearing.values()) stream.close();
    },
  };
}
