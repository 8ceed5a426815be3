/** Numbered request-response exchanges with the device about files. Replies are received in order. */
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { createSendWindow, type SendWindow } from '@drawbridge/session/send-window';

type Answer = SessionMessage<'file_answer'>;
type NumberedRequest = SessionMessage<'file'>;
type WithoutId<Value> = Value extends unknown ? Omit<Value, 'id'> : never;

export type FileExchangeReply = Answer | { is: 'bytes'; at: number; data: Uint8Array };
/** A request before it has the number of its exchange. */
export type FileRequest = WithoutId<NumberedRequest>;

type FileErrorCode =
  /** The transfer can continue after a reconnect. */
  | 'connection_lost'
  /** The message says why. */
  | 'device_refused'
  /** The listing of a folder is not one that the agent sends. */
  | 'invalid_listing'
  /** All transfers have ended with it. */
  | 'session_ended';

/** The error of the console; the message is a sentence for the person. */
export class FileError extends Error {
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message = '') {
    super(message);
    this.code = code;
  }
}

export const isFileError = (error: unknown, code: FileErrorCode): boolean =>
  error instanceof FileError && error.code === code;

export interface FileExchange {
  send(request: FileRequest): void;
  /** Sends a part of a file when the send buffer has drained. */
  sendChunk(at: number, data: Uint8Array): Promise<void>;
  /** Resolves with the next reply. Throws when the device refuses or the connection is lost. */
  receive(): Promise<FileExchangeReply>;
  /** Tells the device that nothing more of the transfer is wanted, if it can be told. */
  stop(): void;
  close(): void;
}

export interface FileExchanges {
  open(): FileExchange;
  /** The bytes of uploads that may be in flight. */
  sendWindow: SendWindow;
  /** Resolves when the session is live again; rejects when it has ended. */
  whenLive(): Promise<void>;
  stop(): void;
}

interface ReplyQueue {
  put(reply: FileExchangeReply | FileError): void;
  next(): Promise<FileExchangeReply>;
}

function createReplyQueue(): ReplyQueue {
  const replies: (FileExchangeReply | FileError)[] = [];
  let waiting: PromiseWithResolvers<void> | undefined;
  return {
    put(reply) {
      replies.push(reply);
      waiting?.resolve();
    },
    async next() {
      while (replies.length === 0) {
        waiting = Promise.withResolvers();
        await waiting.promise;
      }
      const reply = replies.shift()!;
      if (reply instanceof FileError) throw reply;
      if (reply.is === 'failed') throw new FileError('device_refused', reply.message);
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
    session.on('file_bytes', ({ id, at, data }) => queues.get(id)?.put({ is: 'bytes', at, data })),
    session.onChange(() => {
      if (!isLive()) for (const queue of queues.values()) queue.put(new FileError('connection_lost'));
    }),
  ];
  return {
    open: () => openExchange(session, queues, ++lastId),
    sendWindow: createSendWindow(() => performance.now()),
    whenLive: () => whenLive(session),
    stop: () => unsubscribes.forEach((each) => each()),
  };
}

function openExchange(session: RemoteSession, queues: Map<number, ReplyQueue>, id: number): FileExchange {
  const queue = createReplyQueue();
  queues.set(id, queue);
  const throwUnlessSent = (isSent: boolean): void => {
    if (!isSent) throw new FileError('connection_lost');
  };
  return {
    send: (request) => throwUnlessSent(session.send('file', { ...request, id })),
    async sendChunk(at, data) {
      await session.drained();
      throwUnlessSent(session.send('file_bytes', { id, at, data }));
    },
    receive: queue.next,
    stop: () => void session.send('file', { do: 'stop', id }),
    close: () => queues.delete(id),
  };
}

function whenLive(session: RemoteSession): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const check = (): void => {
    if (session.state.phase === 'live') resolve();
    if (session.state.phase === 'ended') reject(new FileError('session_ended', session.state.message));
  };
  const unsubscribe = session.onChange(check);
  check();
  return promise.finally(unsubscribe);
}
