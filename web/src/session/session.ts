/** A session as the page and its panels see it. It stays the same object when the connection is lost and found again. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from './payloads.ts';

/** The server's refusals, and those of this side. */
export type ProblemCode =
  | 'used'
  | 'offline'
  | 'refused'
  | 'disabled'
  | 'forbidden'
  | 'busy'
  | 'invalid'
  | 'ended'
  /** The server or the relay can not be reached. */
  | 'network'
  /** The device shows another key than the one this browser knows it by. */
  | 'changed_key'
  /** What the device shows was not signed by the server, or is meant for somebody else. */
  | 'bad_grant'
  /** The device does not prove that it is the one it claims to be. */
  | 'bad_signature'
  /** A frame that nobody with the key has made, or that makes no sense. */
  | 'broken'
  /** The device did not come back in time. */
  | 'lost';

export interface SessionProblem {
  code: ProblemCode;
  /** The other side's own words, or none. */
  message: string;
}

export const createProblem = (code: ProblemCode, message = ''): SessionProblem => ({ code, message });

export const isProblem = (answer: object): answer is SessionProblem =>
  'code' in answer && 'message' in answer;

/** `blocked`: the device's key has changed, and somebody has to decide. */
export type SessionPhase = 'opening' | 'waiting' | 'asking' | 'live' | 'reconnecting' | 'blocked' | 'ended';

export interface ConnectionState {
  phase: SessionPhase;
  message: string;
  problem?: SessionProblem;
  /** Who ended it. */
  by?: 'operator' | 'device' | 'server' | 'fault';
}

export type FrameListener<Kind extends FrameKindName> = (payload: Payload<Kind>) => void;

export interface RemoteSession {
  readonly state: ConnectionState;
  /** What the device lets this operator do. Empty until the session is live. */
  readonly permissions: ReadonlySet<string>;
  /** Permissions the device can not honour, each with a sentence. */
  readonly unable: Readonly<Record<string, string>>;
  readonly recording: boolean;
  readonly device: { id: number; name: string; os: string; home: string };
  /** Who the operator is to the others. */
  readonly name: string;
  /** 12 digits that both sides can compare: they are the same only if nobody is in between. */
  readonly code: string;
  readonly transport: 'relay' | 'direct';
  /** Milliseconds there and back, as last measured. */
  readonly roundTrip: number | undefined;
  /** Bytes since the beginning. */
  readonly traffic: { sent: number; received: number };

  /** False, and nothing is sent, when the session is not live or the kind is not allowed. */
  send<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): boolean;
  /** Hears a kind of frame; the answer stops it. */
  on<Kind extends FrameKindName>(kind: Kind, listener: FrameListener<Kind>): () => void;
  /** Hears of every change of what is read above; the answer stops it. */
  onChange(listener: () => void): () => void;
  /** Resolves when there is room for more. Whoever sends much waits for it before each piece. */
  drained(): Promise<void>;
  end(): void;
}
