/** A feature of a session, such as the screen or the terminal: it handles some kinds of frames and sends others. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from '@drawbridge/session/payloads';
import type { Platform } from '../platform/platform.ts';
import type { Shield } from './shield.ts';

/** What a feature may use of the session with one operator. Whether a frame is allowed was decided before a feature handles it. */
export interface FeatureContext {
  /** The number of the session at the server. */
  session: number;
  operator: { name: string; address: string };
  permissions: ReadonlySet<string>;
  platform: Platform;
  /** Seals and sends; what the grant does not allow this side to send is not sent. */
  send<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void;
  /** As `send`, for a payload that is already encoded. */
  sendEncoded(kind: FrameKindName, payload: Uint8Array): void;
  /** Bytes that have not left yet. Features that produce much wait for `drained` while this is high. */
  buffered(): number;
  drained(): Promise<void>;
  /** Asks whoever sits at the device; meanwhile no operator can press the answer. */
  ask(question: string, seconds: number): Promise<boolean>;
  shield: Shield;
  /** Tells the operator that something was not done. */
  refuse(kind: FrameKindName, message: string): void;
  /** Ends the session: a frame of this kind had a content that no honest operator sends. */
  endMalformed(kind: FrameKindName): void;
  /** Ends the session; `back` when the device expects the operator again, as after a reboot. */
  end(message: string, back?: boolean): void;
  log(line: string): void;
}

export interface Feature {
  /** One function for each kind of frame it handles. What one throws is a refusal or a bug, and never ends the agent. */
  handlers: { [Kind in FrameKindName]?: (payload: Payload<Kind>) => void | Promise<void> };
  /** The session is live: consent was given. */
  start?(): void | Promise<void>;
  /** Somebody else holds mouse and keyboard from now on: what is pressed is let go. */
  releaseInput?(): void;
  /** The session is over: everything it opened is closed. */
  stop(): void | Promise<void>;
}

export type FeatureFactory = (context: FeatureContext) => Feature;
