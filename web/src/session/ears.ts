/** Who hears which kind of frame. */
import type { KindName } from '@drawbridge/contract/session/kinds';
import type { Payload } from './payloads.ts';
import type { Listener } from './session.ts';

export interface Ears {
  on<Kind extends KindName>(kind: Kind, listener: Listener<Kind>): () => void;
  tell<Kind extends KindName>(kind: Kind, payload: Payload<Kind>): void;
}

export function createEars(): Ears {
  const listeners = new Map<KindName, Set<Listener<KindName>>>();
  return {
    on(kind, listener) {
      const those = listeners.get(kind) ?? new Set();
      listeners.set(kind, those);
      those.add(listener as Listener<KindName>);
      return () => those.delete(listener as Listener<KindName>);
    },
    tell(kind, payload) {
      for (const listener of listeners.get(kind) ?? []) listener(payload);
    },
  };
}
