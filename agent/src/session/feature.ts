/** A feature of a session, such as the screen or the terminal: it handles some kinds of frames and sends others. */
import type { Policy } from '@drawbridge/contract/policy';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { SendableKind } from '@drawbridge/session/device';
import type { Payload } from '@drawbridge/session/payloads';
import type { Platform } from '../platform/platform.ts';
import type { ShownNotice } from './notice.ts';
import type { Shield } from './shield.ts';

/** What a feature may use of the session with one operator. A feature only receives frames that the grant allows. */
export interface FeatureContext {
  /** The number of the session at the server. */
  session: number;
  operator: { name: string; address: string };
  permissions: ReadonlySet<string>;
  platform: Platform;
  /** The policy of the device, which may change during the session. */
  policy: Policy;
  /** Encrypts and sends a frame; drops it if the grant does not allow the device to send this kind. */
  send<Kind extends SendableKind>(kind: Kind, payload: Payload<Kind>): void;
  /** As `send`, for a payload that is already encoded. */
  sendEncoded(kind: SendableKind, payload: Uint8Array): void;
  /** Bytes that are not sent yet. Features that produce much data wait for `drained` while this is high. */
  buffered(): number;
  drained(): Promise<void>;
  /** Asks the person at the device; until they answer or `signal` is aborted, operators have no mouse and keyboard. */
  ask(question: string, seconds: number, signal?: AbortSignal): Promise<boolean>;
  /** The person at the device had to agree to this session. */
  isConfirmed: boolean;
  /** Adds a line to the banner. */
  showNotice(line: string): Promise<ShownNotice>;
  shield: Shield;
  /** Tells the operator that a request was not carried out. */
  refuse(kind: FrameKindName, message: string): void;
  /** Ends the session because a frame of this kind was malformed. */
  endMalformed(kind: FrameKindName): void;
  /** Ends the session; with `back`, the device expects the operator again, for example after a reboot. */
  end(message: string, back?: boolean): void;
  log(line: string): void;
}

export interface Feature {
  /** One function for each kind of frame it handles. An error it throws refuses the frame and never ends the agent. */
  handlers: { [Kind in FrameKindName]?: (payload: Payload<Kind>) => void | Promise<void> };
  /** The session is live: consent was given. */
  start?(): void | Promise<void>;
  /** Releases all pressed keys and buttons, because another operator takes over mouse and keyboard. */
  releaseInput?(): void;
  /** The policy has changed: ends what it forbids now. */
  policyChanged?(): void;
  /** The session ended, or the policy forbids the feature: closes everything the feature opened. */
  stop(): void | Promise<void>;
}

export type FeatureFactory = (context: FeatureContext) => Feature;
