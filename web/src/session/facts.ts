/** What is known of a session at this moment, and who wants to hear when it changes. */
import type { Session } from './session.ts';

export type Known = Pick<
  Session,
  'state' | 'permissions' | 'unable' | 'recording' | 'device' | 'name' | 'code' | 'way' | 'roundTrip'
>;

export interface Facts {
  readonly known: Known;
  change(some: Partial<Known>): void;
  onChange(listener: () => void): () => void;
}

const unknown: Known = {
  state: { phase: 'opening', message: '' },
  permissions: new Set(),
  unable: {},
  recording: false,
  device: { id: 0, name: '', os: '', home: '' },
  name: '',
  code: '',
  way: 'relay',
  roundTrip: undefined,
};

export function createFacts(): Facts {
  const listeners = new Set<() => void>();
  let known = unknown;
  return {
    get known() {
      return known;
    },
    change(some) {
      known = { ...known, ...some };
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
