/** Conversations with the device about files: each has a number, and what the device says to it is heard in order. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '../../../session/session.ts';

type Answer = SessionMessage<'file_answer'>;
type Wish = SessionMessage<'file'>;
type WithoutId<Value> = Value extends unknown ? Omit<Value, 'id'> : never;

/** What is heard in a conversation. */
export type Heard = Answer | { is: 'bytes'; at: number; data: Uint8Array };
/** A wish, before it has the number of its conversation. */
export type WishWords = WithoutId<Wish>;

/** The connection was lost; what was begun can be gone on with when it is back. */
export class Cut extends Error {}
/** The device said no, in a sentence. */
export class Refused extends Error {}
/** The session is over, and whatever was under way with it. */
export class Ended extends Error {}

export interface Talk {
  say(wish: WishWords): void;
  /** Sends a piece of a file, when there is room for it. */
  piece(at: number, data: Uint8Array): Promise<void>;
  /** The next thing the device says. A failure, or the loss of the connection, is thrown. */
  hear(): Promise<Heard>;
  close(): void;
}

export interface Talks {
  open(): Talk;
  /** Resolves when the session is live again; throws when it is over. */
  live(): Promise<void>;
  stop(): void;
}

interface Inbox {
  put(heard: Heard | Error): void;
  next(): Promise<Heard>;
}

function createInbox(): Inbox {
  const kept: (Heard | Error)[] = [];
  let waiting: PromiseWithResolvers<void> | undefined;
  return {
    put(heard) {
      kept.push(heard);
      waiting?.resolve();
    },
    async next() {
      while (kept.length === 0) {
        waiting = Promise.withResolvers();
        await waiting.promise;
      }
      const heard = kept.shift()!;
      if (heard instanceof Error) throw heard;
      if (heard.is === 'failed') throw new Refused(heard.message);
      return heard;
    },
  };
}

export function createTalks(session: RemoteSession): Talks {
  const inboxes = new Map<number, Inbox>();
  let lastId = 0;
  const isLive = (): boolean => session.state.phase === 'live';
  const unsubscribes = [
    session.on('file_answer', (answer) => inboxes.get(answer.id)?.put(answer)),
    session.on('file_bytes', ({ id, at, data }) =>
      // What is read later must not be written over by the next frame.
      inboxes.get(id)?.put({ is: 'bytes', at, data: Uint8Array.from(data) }),
    ),
    session.onChange(() => {
      if (!isLive()) for (const inbox of inboxes.values()) inbox.put(new Cut());
    }),
  ];
  return {
    open: () => openTalk(session, inboxes, ++lastId),
    live: () => live(session),
    stop: () => unsubscribes.forEach((each) => each()),
  };
}

function openTalk(session: RemoteSession, inboxes: Map<number, Inbox>, id: number): Talk {
  const inbox = createInbox();
  inboxes.set(id, inbox);
  const orCut = (sent: boolean): void => {
    if (!sent) throw new Cut();
  };
  return {
    say: (wish) => orCut(session.send('file', { ...wish, id })),
    async piece(at, data) {
      await session.drained();
      orCut(session.send('file_bytes', { id, at, data }));
    },
    hear: inbox.next,
    close: () => inboxes.delete(id),
  };
}

function live(session: RemoteSession): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = (): void => {
    if (session.state.phase === 'live') resolve();
    if (session.state.phase === 'ended') reject(new Ended(session.state.message));
  };
  const unsubscribe = session.onChange(look);
  look();
  return promise.finally(unsubscribe);
}
