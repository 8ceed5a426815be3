/** Conversations with the device about files: each has a number, and what the device says to it is heard in order. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '../../../session/session.ts';

type Answer = SessionMessage<'file_answer'>;
type NumberedRequest = SessionMessage<'file'>;
type WithoutId<Value> = Value extends unknown ? Omit<Value, 'id'> : never;

/** What is heard in a conversation. */
export type FileExchangeReply = Answer | { is: 'bytes'; at: number; data: Uint8Array };
/** A wish, before it has the number of its conversation. */
export type FileRequest = WithoutId<NumberedRequest>;

/** The connection was lost; what was begun can be gone on with when it is back. */
export class ConnectionLost extends Error {}
/** The device said no, in a sentence. */
export class DeviceRefused extends Error {}
/** The session is over, and whatever was under way with it. */
export class SessionEnded extends Error {}

export interface FileExchange {
  send(request: FileRequest): void;
  /** Sends a piece of a file, when there is room for it. */
  sendChunk(at: number, data: Uint8Array): Promise<void>;
  /** The next thing the device says. A failure, or the loss of the connection, is thrown. */
  receive(): Promise<FileExchangeReply>;
  close(): void;
}

export interface FileExchanges {
  open(): FileExchange;
  /** Resolves when the session is live again; throws when it is over. */
  whenLive(): Promise<void>;
  stop(): void;
}

interface ReplyQueue {
  put(reply: FileExchangeReply | Error): void;
  next(): Promise<FileExchangeReply>;
}

function createReplyQueue(): ReplyQueue {
  const kept: (FileExchangeReply | Error)[] = [];
  let waiting: PromiseWithResolvers<void> | undefined;
  return {
    put(reply) {
      kept.push(reply);
      waiting?.resolve();
    },
    async next() {
      while (kept.length === 0) {
        waiting = Promise.withResolvers();
        await waiting.promise;
      }
      const reply = kept.shift()!;
      if (reply instanceof Error) throw reply;
      if (reply.is === 'failed') throw new DeviceRefused(reply.message);
      return reply;
    },
  };
}

export function createFileExchanges(session: RemoteSession): FileExchanges {
  const queues = new Map<number, ReplyQueue>();
  let lastId = 0;
  const isLive = (): boolean => session.state.phase === 'live';
  const unsubscribes = [
    session.on('file_answer', (answer) => queues.get(answer.id)?.put(answer)),
    session.on('file_bytes', ({ id, at, data }) =>
      // What is read later must not be written over by the next frame.
      queues.get(id)?.put({ is: 'bytes', at, data: Uint8Array.from(data) }),
    ),
    session.onChange(() => {
      if (!isLive()) for (const queue of queues.values()) queue.put(new ConnectionLost());
    }),
  ];
  return {
    open: () => openExchange(session, queues, ++lastId),
    whenLive: () => whenLive(session),
    stop: () => unsubscribes.forEach((each) => each()),
  };
}

function openExchange(session: RemoteSession, queues: Map<number, ReplyQueue>, id: number): FileExchange {
  const queue = createReplyQueue();
  queues.set(id, queue);
  const orThrow = (sent: boolean): void => {
    if (!sent) throw new ConnectionLost();
  };
  return {
    send: (request) => orThrow(session.send('file', { ...request, id })),
    async sendChunk(at, data) {
      await session.drained();
      orThrow(session.send('file_bytes', { id, at, data }));
    },
    receive: queue.next,
    close: () => queues.delete(id),
  };
}

function whenLive(session: RemoteSession): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const check = (): void => {
    if (session.state.phase === 'live') resolve();
    if (session.state.phase === 'ended') reject(new SessionEnded(session.state.message));
  };
  const unsubscribe = session.onChange(check);
  check();
  return promise.finally(unsubscribe);
}
