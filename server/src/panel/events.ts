/** The live panel: whoever has it open hears that something changed, whichever process changed it. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import { createFairSlots } from '@drawbridge/contract/fair-slots';
import type { Readable } from 'node:stream';
import type { Bus } from '../bus/bus.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { createAccountChannel, type AccountChannel, type EventSubscriber } from './account-channel.ts';
import { hintsOf, type Hint } from './change-topics.ts';
import { openEventStream } from './event-stream.ts';

export interface EventServices {
  store: Store;
  bus: Bus;
  log: Log;
  /** A name that no other process has, now or later. */
  node: string;
  /** In one process. When they are taken, the account with most closes its newest for one that has fewer. */
  mostStreams?: number;
}

/** Who wants to listen, and what they heard last. */
export interface Wish {
  accountId: number;
  memberId: number;
  sessionId: number;
  lastId: string | undefined;
}

export interface PanelEvents {
  /** The same store; what changes through it is told. */
  store: Store;
  listen(wish: Wish): Promise<Readable | Fault<'busy'>>;
  close(): void;
}

const subjectOf = (accountId: number): string => `panel.${accountId}`;

/** In one place somebody has so many pages open, and in all places together so many. */
const [mostPerSession, mostPerMember] = [8, 24];
/** What they cost at most is memory: about 100 KiB each. */
const defaultMostStreams = 4_096;
const keepAliveMs = 15_000;
/** How often it is looked whether listeners are still signed in, and devices still there: it takes as long to be noticed. */
const lookMs = 3_000;
/** How long an account is listened to when nobody is there any more: whoever lost the connection may come back. */
const idleTimeoutMs = 60_000;

interface Room {
  channel: AccountChannel;
  listeners: Set<EventSubscriber>;
  unsubscribe(): void;
  leaving?: NodeJS.Timeout;
}

export function createPanelEvents(services: EventServices): PanelEvents {
  const { store, bus, log, node, mostStreams = defaultMostStreams } = services;
  const rooms = new Map<number, Room>();
  const limits = { all: mostStreams, each: mostStreams };
  // Not `end`, which says that one is signed out: the page comes back, and is refused while there is no room.
  const slots = createFairSlots<EventSubscriber>(limits, ({ stream }) => stream.close());
  let opened = 0;
  let closed = false;
  let lookedAt = store.now();

  function announce(accountId: number, hints: readonly Hint[]): void {
    // Here without a detour: it must not depend on whether the bus stands.
    rooms.get(accountId)?.channel.publish(hints);
    bus.publish(subjectOf(accountId), { node, hints });
  }

  function enter(accountId: number): Room {
    const known = rooms.get(accountId);
    if (known) return known;
    const name = `${node}-${++opened}`;
    const channel = createAccountChannel(accountId, { store, now: store.now, log, name });
    const unsubscribe = bus.subscribe(subjectOf(accountId), (message) => {
      const told = message as { node: string; hints: Hint[] };
      if (told.node !== node) channel.publish(told.hints);
    });
    const room = { channel, listeners: new Set<EventSubscriber>(), unsubscribe };
    rooms.set(accountId, room);
    return room;
  }

  function leave(accountId: number, room: Room): void {
    rooms.delete(accountId);
    clearTimeout(room.leaving);
    room.unsubscribe();
    room.channel.close();
  }

  const isCrowded = ({ listeners }: Room, { sessionId, memberId }: Wish): boolean => {
    const own = [...listeners].filter((each) => each.memberId === memberId);
    return (
      own.length >= mostPerMember ||
      own.filter((each) => each.sessionId === sessionId).length >= mostPerSession
    );
  };

  async function listen(wish: Wish): Promise<Readable | Fault<'busy'>> {
    const { accountId, memberId, sessionId, lastId } = wish;
    const owner = { narrow: String(accountId), wide: String(accountId) };
    if (!slots.hasRoomFor(owner)) return noRoom;
    const room = enter(accountId);
    if (isCrowded(room, wish)) return tooMany;
    clearTimeout(room.leaving);
    const listener: EventSubscriber = {
      memberId,
      sessionId,
      stream: openEventStream(() => {
        slots.release(listener);
        room.listeners.delete(listener);
        room.channel.unsubscribe(listener);
        if (room.listeners.size === 0 && rooms.get(accountId) === room)
          room.leaving = setTimeout(() => leave(accountId, room), idleTimeoutMs).unref();
      }),
    };
    slots.acquire(listener, owner);
    room.listeners.add(listener);
    if (closed) leave(accountId, room);
    try {
      await room.channel.subscribe(listener, lastId);
    } catch (error) {
      listener.stream.close();
      throw error;
    }
    return listener.stream.readable;
  }

  /** Leases that ran out by themselves, because whoever held them is gone: nobody else would tell. */
  async function lookForLost(): Promise<void> {
    const [since, now] = [lookedAt, store.now()];
    if (now <= since) return;
    const lost = await store.visibility.lapsed(since, now);
    lookedAt = now;
    for (const { accountId, id } of lost)
      rooms.get(accountId)?.channel.publish([{ topic: 'agents', ids: [id] }]);
  }

  async function check(): Promise<void> {
    if (rooms.size === 0) return void (lookedAt = store.now());
    await lookForLost();
    for (const { channel } of rooms.values()) await channel.check();
  }

  const warn = (error: unknown): void => log.warn({ err: error }, 'checking the open panels failed');
  const looking = setInterval(() => void check().catch(warn), lookMs).unref();
  const keepAliveTimer = setInterval(() => {
    for (const { listeners } of rooms.values()) for (const { stream } of listeners) stream.keepAlive();
  }, keepAliveMs).unref();
  bus.onGap(() => {
    for (const { channel } of rooms.values()) channel.reset();
  });

  return {
    store: telling(store, announce),
    listen,
    close() {
      closed = true;
      clearInterval(looking);
      clearInterval(keepAliveTimer);
      for (const [accountId, room] of rooms) leave(accountId, room);
    },
  };
}

/** The store with everybody's ear at it: what is committed through it is told. */
const telling = (store: Store, announce: (accountId: number, hints: readonly Hint[]) => void): Store => ({
  ...store,
  async change(name, input, auditLine) {
    const outcome = await store.change(name, input, auditLine);
    const hints = Map.groupBy(hintsOf(name, input, outcome), ({ accountId }) => accountId);
    for (const [accountId, own] of hints) announce(accountId, own);
    return outcome;
  },
});

const tooMany = fault('busy', {
  code: 'too_many_streams',
  message: 'The panel is open in too many places at once. Close some of its pages.',
});
const noRoom = fault('busy', {
  code: 'too_many_streams',
  message: 'The panel is open for too many people at once. Try again in a moment.',
});
