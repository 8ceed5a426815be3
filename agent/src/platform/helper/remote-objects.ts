/** Calls objects of a helper and receives their events, over a message channel. The answers are not trusted. */
import { EventEmitter } from 'node:events';
import { NotPossible } from '../platform.ts';
import type { MessageChannel } from './message-channel.ts';
import { textIn } from './plain-values.ts';

export interface RemoteObjects {
  /** A number for the next object, which the other process will use for it too. */
  nextObject(): number;
  /** Rejects with the other side's sentence, after the timeout, or when the channel is closed. */
  call(object: number, method: string, args?: readonly unknown[], options?: CallOptions): Promise<unknown>;
  /** Calls without an answer. */
  tell(object: number, method: string, args?: readonly unknown[], bytes?: Uint8Array): void;
  /** Receives the events of an object; the returned function unsubscribes. */
  onEvent(object: number, listener: (event: string, value: unknown) => void): () => void;
}

interface CallOptions {
  timeoutMs?: number;
  /** The last argument. */
  bytes?: Uint8Array;
}

/** The sentences for a channel that was closed, and for a call that was not answered in time. */
interface Reasons {
  closed(): string;
  silent: string;
}

/** The object that exists from the start; other objects are opened by its methods. */
export const mainObject = 0;

/** A system that hangs must not keep a session waiting for longer. A busy one may take many seconds. */
const answerTimeoutMs = 20_000;
const [maxErrorLength, maxNameLength] = [1_000, 50];

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function createRemoteObjects(channel: MessageChannel, reasons: Reasons): RemoteObjects {
  const pending = new Map<number, Pending>();
  const events = new EventEmitter().setMaxListeners(0);
  let [lastId, lastObject, isOpen] = [0, mainObject, true];
  channel.onMessage((message) => {
    const { id, error, object, event, bytes, value = bytes } = message;
    if (typeof object === 'number') return void events.emit(`${object}`, textIn(event, maxNameLength), value);
    const caller = pending.get(id as number);
    pending.delete(id as number);
    if (error === undefined) caller?.resolve(value);
    else caller?.reject(new NotPossible(textIn(error, maxErrorLength)));
  });
  channel.onClose(() => {
    isOpen = false;
    for (const { reject } of pending.values()) reject(new NotPossible(reasons.closed()));
    pending.clear();
  });
  return {
    nextObject: () => (lastObject += 1),
    call(object, method, args = [], { timeoutMs = answerTimeoutMs, bytes } = {}) {
      if (!isOpen) return Promise.reject(new NotPossible(reasons.closed()));
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const id = (lastId += 1);
      pending.set(id, { resolve, reject });
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new NotPossible(reasons.silent));
      }, timeoutMs);
      channel.send({ id, object, method, args, bytes });
      return promise.finally(() => clearTimeout(timer));
    },
    tell: (object, method, args = [], bytes) => channel.send({ object, method, args, bytes }),
    onEvent(object, listener) {
      events.on(`${object}`, listener);
      return () => void events.off(`${object}`, listener);
    },
  };
}
