/** The current state of a session, and the listeners to its changes. */
import type { RemoteSession } from './session.ts';

export type SessionSnapshot = Pick<
  RemoteSession,
  'state' | 'permissions' | 'unable' | 'recording' | 'device' | 'name' | 'code' | 'transport' | 'roundTrip'
>;

export interface SessionState {
  readonly current: SessionSnapshot;
  update(changes: Partial<SessionSnapshot>): void;
  onChange(listener: () => void): () => void;
}

const initial: SessionSnapshot = {
  state: { phase: 'opening', message: '' },
  permissions: new Set(),
  unable: {},
  recording: false,
  device: { id: 0, name: '', os: '', home: '' },
  name: '',
  code: '',
  transport: 'relay',
  roundTrip: undefined,
};

export function createSessionState(): SessionState {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get current() {
      return current;
    },
    update(changes) {
      current = { ...current, ...changes };
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
