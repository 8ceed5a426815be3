/** What sessions need from relays in other regions, and what these need from the server. */
import type { RelayMessage, ServerControlMessage } from '@drawbridge/contract/session/relay-control';
import type { RelayOffer } from '@drawbridge/contract/session/round-trips';
import type { Log } from '../edges/log.ts';
import type { ActiveSession, EndedPairing, RelayControl } from './active-sessions.ts';
import type { RelayTarget } from './signer.ts';

/** What a relay reports once it has proved its key. */
export type ReportedMessage = Exclude<RelayMessage, { kind: 'challenge' }>;

/** The control connection to a relay; what is sent while it is away is lost. */
export interface RelayLink {
  send(message: Extract<ServerControlMessage, { kind: 'close' | 'release' }>): void;
  close(): void;
}

/** Connects to a relay, again and again. */
type ConnectRelay<Entry> = (
  entry: Entry,
  events: {
    /** The pairings that the relay should know. */
    pairs(): string[];
    onMessage(message: ReportedMessage): void;
    onDown(why: string): void;
  },
) => RelayLink;

export interface RemoteRelaysOptions<Entry extends RelayTarget & { name: string }> {
  /** `url` is the address for the two sides of a session. */
  entries: readonly Entry[];
  connect: ConnectRelay<Entry>;
  onPaired(pair: string): void;
  onEnd(ended: EndedPairing): void;
  /** Called when a relay came or went away. */
  onChange(name: string, isUp: boolean): void;
  log: Log;
}

export interface RemoteRelays extends RelayControl {
  /** Those that are connected and at which this session has not failed. */
  offersFor(session: number): RelayOffer[];
  /** Notes that the two sides of a session are sent to this relay; undefined if it has gone away. */
  assign(name: string, session: Pick<ActiveSession, 'id' | 'pair'>): RelayTarget | undefined;
  holds(pair: string): boolean;
  start(): void;
  /** Releases all sessions and disconnects. */
  stop(): Promise<void>;
}
