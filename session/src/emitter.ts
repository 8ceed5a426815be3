/** Subscriptions to kinds of frames. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from './payloads.ts';

type FrameListener<Kind extends FrameKindName> = (payload: Payload<Kind>) => void;

export interface Emitter {
  /** Subscribes to a kind of frame; the result unsubscribes. */
  on<Kind extends FrameKindName>(kind: Kind, listener: FrameListener<Kind>): () => void;
  emit<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void;
}

export function createEmitter(): Emitter {
  const listeners = new Map<FrameKindName, Set<FrameListener<FrameKindName>>>();
  return {
    on(kind, listener) {
      const subscribed = listeners.get(kind) ?? new Set();
      listeners.set(kind, subscribed);
      subscribed.add(listener as FrameListener<FrameKindName>);
      return () => subscribed.delete(listener as FrameListener<FrameKindName>);
    },
    emit(kind, payload) {
      for (const listener of listeners.get(kind) ?? []) listener(payload);
    },
  };
}
