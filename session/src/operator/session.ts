/** A session as the operator's page sees it. It stays the same object when the connection is lost and restored. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { SessionProblem } from '@drawbridge/contract/session/problem';
import type { Emitter } from '../emitter.ts';
import type { SealedChannel } from '../sealed-channel.ts';

/** `blocked`: the key of the device has changed, and the operator must decide. */
export type SessionPhase = 'opening' | 'waiting' | 'asking' | 'live' | 'reconnecting' | 'blocked' | 'ended';

export interface ConnectionState {
  phase: SessionPhase;
  message: string;
  /** In the phase `asking`: a second person must approve the session. */
  awaits?: 'approval' | undefined;
  problem?: SessionProblem;
  /** Who ended the session. */
  by?: 'operator' | 'device' | 'server' | 'fault';
}

/** What is known of a session at one moment. */
interface SessionSnapshot {
  readonly state: ConnectionState;
  /** What the device lets this operator do. Empty until the session is live. */
  readonly permissions: ReadonlySet<string>;
  /** Permissions that the device cannot honour, each with a reason. */
  readonly unable: Readonly<Record<string, string>>;
  readonly recording: boolean;
  /** Whether the operator may start and stop a recording. */
  readonly mayRecord: boolean;
  readonly device: { id: number; name: string; os: string; home: string };
  /** The version of the session protocol that the device knows; 1 until its first state arrives. */
  readonly deviceVersion: number;
  /** What the device can do beyond the frames of its version. */
  readonly capabilities: ReadonlySet<string>;
  /** Of quick support: whether the server counts a client as present; undefined for a device. */
  readonly client: 'joined' | 'absent' | undefined;
  /** The operator's name as the others see it. */
  readonly name: string;
  /** Twelve digits that both sides can compare. They are equal only if nobody is between them. */
  readonly code: string;
  readonly transport: 'relay' | 'direct';
  /** The last round trip in milliseconds. */
  readonly roundTrip: number | undefined;
}

export interface RemoteSession extends SessionSnapshot, Pick<Emitter, 'on'> {
  /** Bytes since the beginning. */
  readonly traffic: { sent: number; received: number };
  /** Returns false and sends nothing if the session is not live or the kind is not allowed. */
  send: SealedChannel['send'];
  /** Whether the version of the device has this kind of frame. */
  knows(kind: FrameKindName): boolean;
  /** Subscribes to every change of the snapshot; the result unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Resolves when more can be sent. Wait for it before each large frame. */
  drained(): Promise<void>;
  end(): void;
}

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
  mayRecord: false,
  device: { id: 0, name: '', os: '', home: '' },
  deviceVersion: 1,
  capabilities: new Set(),
  client: undefined,
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
