/** The lobby, where the client of an invitation (a browser or the program) waits for operators: JSON text over one WebSocket. */
import * as z from 'zod';
import { brand } from '../brand.ts';
import { relayOffers, roundTrips } from './round-trips.ts';

export const lobbyPath = '/lobby';
export const lobbyProtocol = 'drawbridge.lobby';

const publicKey = z.base64url().length(43);

/** From the client. */
export const lobbyUp = {
  join: z.object({
    /** 9 digits. */
    code: z.string().max(16),
    /** An Ed25519 key generated for this invitation. It stays the same when the client reconnects. */
    key: publicKey,
    os: z.enum(['win', 'mac', 'linux', 'android', '']),
    /** The kind of client. It is not called `kind` because that names the message. */
    by: z.enum(['browser', 'program']),
    /** What it measured before it lost the connection. */
    round_trips: roundTrips.optional(),
  }),
  /** A small image of the shared screen, for the list of invitations. */
  preview: z.object({ type: z.enum(['image/png', 'image/jpeg']), picture: z.base64().max(200_000) }),
  /** To the relays that the welcome named. Sent only if it named some. */
  round_trips: z.object({ round_trips: roundTrips }),
  leave: z.object({}),
} as const;

/** To the client. */
export const lobbyDown = {
  welcome: z.object({
    owner: z.string(),
    server_key: publicKey,
    /** Sent only if the code is valid; absent if the account uses the default brand. */
    brand: brand.optional(),
    /** The relays to measure; absent if the server has only its own. */
    relays: relayOffers.optional(),
  }),
  /** An operator has joined: the client connects to the relay with the ticket and enforces the grant. */
  session: z.object({ grant: z.string(), ticket: z.string(), relay: z.string() }),
  /** The invitation was closed by the operator or taken by another client, or the code is unknown. */
  ended: z.object({ code: z.enum(['unknown', 'closed', 'taken', 'busy']), message: z.string() }),
} as const;

/** The kinds a server accepts, by the state of the client. */
export const lobbyUpByState = {
  unknown: ['join'],
  joined: ['preview', 'round_trips', 'leave'],
} as const satisfies Record<string, readonly (keyof typeof lobbyUp)[]>;

/** The kinds a client accepts, by its state. */
export const lobbyDownByState = {
  unknown: ['welcome', 'ended'],
  joined: ['session', 'ended'],
} as const satisfies Record<string, readonly (keyof typeof lobbyDown)[]>;

export type LobbyUp = {
  [Kind in keyof typeof lobbyUp]: { kind: Kind } & z.output<(typeof lobbyUp)[Kind]>;
}[keyof typeof lobbyUp];
export type LobbyDown = {
  [Kind in keyof typeof lobbyDown]: { kind: Kind } & z.output<(typeof lobbyDown)[Kind]>;
}[keyof typeof lobbyDown];
