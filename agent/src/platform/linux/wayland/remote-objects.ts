/** Calls objects of another process and receives their events, over a message channel. The answers are not trusted. */
import { EventEmitter } from 'node:events';
import { NotPossible } from '../../platform.ts';
import { textIn } from './read-values.ts';
import type { MessageChannel } from './message-channel.ts';

export interface RemoteObjects {
  /** A number for the next object, which the other process will use for it too. */
  nextObject(): number;
  /** Rejects with the other side's sentence, after the timeout, or when the channel is closed. */
  call(object: number, method: string, args?: readonly unknown[], timeoutMs?: number): Promise<unknown>;
  /** Calls without an answer. */
  tell(object: number, method: string, args?: readonly unknown[]): void;
  /** Receives the events of an object; the returned function unsubscribes. */
  onEvent(object: number, listener: (event: string, value: unknown) => void): () => void;
}

/** The desktop itself; other objects are opened by its methods. */
export const desktopObject = 0;

/** A compositor that hangs must not keep a session waiting for longer. */
const answerTimeoutMs = 10_000;
const [maxErrorLength, maxNameLength] = [1_000, 50];

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function createRemoteObjects(channel: MessageChannel, whyClosed: () => string): RemoteObjects {
  const pending = new Map<number, Pending>();
  const events = new EventEmitter().setMaxListeners(0);
  let [lastId, lastObject, isOpen] = [0, desktopObject, true];
  channel.onMessage((message) => {
    const { id, value, error, object, event } = message as Record<string, unknown>;
    if (typeof object === 'number') return void events.emit(`${object}`, textIn(event, maxNameLength), value);
    const caller = pending.get(id as number);
    pending.delete(id as number);
    if (error === undefined) caller?.resolve(value);
    else caller?.reject(new NotPossible(textIn(error, maxErrorLength)));
  });
  channel.onClose(() => {
    isOpen = false;
    for (const { reject } of pending.values()) reject(new NotPossible(whyClosed()));
    pending.clear();
  });
  return {
    nextObject: () => (lastObject += 1),
    call(object, method, args = [], timeoutMs = answerTimeoutMs) {
      if (!isOpen) return Promise.reject(new NotPossible(whyClosed()));
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const id = (lastId += 1);
      pending.set(id, { resolve, reject });
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new NotPossible('The desktop of the device does not answer.'));
      }, timeoutMs);
      channel.send({ id, object, method, args });
      return promise.finally(() => clearTimeout(timer));
    },
    tell: (object, method, args = []) => channel.send({ object, method, args }),
    onEvent(object, listener) {
      events.on(`${object}`, listener);
      return () => void events.off(`${object}`, listener);
    },
  };
}
