/** Who hears which kind of frame. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from './payloads.ts';
import type { Listener } from './session.ts';

export interface Ears {
  on<Kind extends FrameKindName>(kind: Kind, listener: Listener<Kind>): () => void;
  tell<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void;
}

export function createEars(): Ears {
  const listeners = new Map<FrameKindName, Set<Listener<FrameKindName>>>();
  return {
    on(kind, listener) {
      const those = listeners.get(kind) ?? new Set();
      listeners.set(kind, those);
      those.add(listener as Listener<FrameKindName>);
      return () => those.delete(listener as Listener<FrameKindName>);
    },
    tell(kind, payload) {
      for (const listener of listeners.get(kind) ?? []) listener(payload);
    },
  };
}
