/** What the parts of an operator's session share. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Emitter } from '../emitter.ts';
import type { Heartbeat } from '../heartbeat.ts';
import type { Payload } from '../payloads.ts';
import type { Clock, SessionCrypto } from '../ports.ts';
import type { SealedChannel } from '../sealed-channel.ts';
import type { OpenDirectPeer, TransportSwitch } from '../transport-switch.ts';
import type { OpenRelay } from './connect.ts';
import type { KeyPins } from './key-pins.ts';
import type { ConnectionOutcome } from './outcome.ts';
import type { SessionState } from './session.ts';

/** What a session uses of its surroundings. */
export interface OperatorPorts {
  crypto: SessionCrypto;
  openRelay: OpenRelay;
  /** Undefined where direct connections are not supported. */
  openPeer: OpenDirectPeer | undefined;
  clock: Clock;
  pins: KeyPins;
  /** Removes from a payload what could mislead the person who reads it. */
  sanitize<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): Payload<Kind>;
}

/** What lasts as long as the session, across its connections. */
export interface SessionContext {
  ports: OperatorPorts;
  sessionState: SessionState;
  emitter: Emitter;
  traffic: { sent: number; received: number };
  ending: AbortController;
  /** The key that the device has shown in this session. */
  shownKey: string | undefined;
  /** What the device told when a second person approved the session; it proves later that the same operator returns. */
  approval: string | undefined;
  channel: SealedChannel | undefined;
  /** When the connection was lost; undefined while the session is live. */
  lostAt: number | undefined;
  /** A direct connection was lost once: this session stays on the relay. */
  relayOnly: boolean;
}

/** The parts of one connection. */
export interface ConnectionParts {
  channel: SealedChannel;
  heartbeat: Heartbeat;
  transport: TransportSwitch;
  finish(outcome: ConnectionOutcome): void;
}
