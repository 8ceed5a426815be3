/** The line on which the client of an invitation waits for operators: JSON text over one WebSocket, from a browser or from the program. */
import * as z from 'zod';
import { brand } from '../brand.ts';

export const lobbyPath = '/lobby';
export const lobbyProtocol = 'drawbridge.lobby';

const publicKey = z.base64url().length(43);

/** From the client. */
export const lobbyUp = {
  join: z.object({
    /** The 9 digits. */
    code: z.string().max(16),
    /** An Ed25519 key made for this invitation; it stays the same when the client comes back after a drop. */
    key: publicKey,
    os: z.enum(['win', 'mac', 'linux', 'android', '']),
    /** What it is; the word `kind` names the message. */
    by: z.enum(['browser', 'program']),
  }),
  /** A small picture of what is shared, for the list of invitations. */
  preview: z.object({ type: z.enum(['image/png', 'image/jpeg']), picture: z.base64().max(200_000) }),
  leave: z.object({}),
} as const;

/** To the client. */
export const lobbyDown = {
  welcome: z.object({
    owner: z.string(),
    server_key: publicKey,
    /** Told only to those whose code leads somewhere; absent when it is the usual one. */
    brand: brand.optional(),
  }),
  /** An operator is there: connect to the relay with the ticket, and obey the grant. */
  session: z.object({ grant: z.string(), ticket: z.string(), relay: z.string() }),
  /** The line is over: closed by the operator, taken by another client, or a code that leads nowhere. */
  ended: z.object({ code: z.enum(['unknown', 'closed', 'taken', 'busy']), message: z.string() }),
} as const;

/** The kinds a server may hear, by how far the client has come. */
export const lobbyUpByState = {
  unknown: ['join'],
  joined: ['preview', 'leave'],
} as const satisfies Record<string, readonly (keyof typeof lobbyUp)[]>;

/** The kinds a client may hear. */
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
