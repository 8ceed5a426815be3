/** Verifies tickets: signed by the server, for this purpose, of the right shape, not expired and not used before. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import { decodeBody, signedBytes, splitSigned, type Ticket } from '@drawbridge/contract/session/signed';

/** A ticket, and the key of the server that signed it. */
export type VerifiedTicket = Ticket & { serverKey: string };

export interface TicketVerifier {
  /** Marks the ticket as used; undefined when it is not valid. */
  redeem(text: string): VerifiedTicket | undefined;
  /** From now on no ticket of this server, or of any, is valid for this pairing, used or not. */
  revoke(pair: string, serverKey?: string): void;
  /** Forgets used tickets that expired long ago. */
  sweep(): void;
}

const sides: readonly Side[] = ['operator', 'device'];
/** A used ticket is remembered after it expires, so that it does not become valid again when the clock is set back. */
const retentionSeconds = 2 * 3_600;
/** The server signs no ticket with a longer lifetime. One that has it is refused, because it could be forgotten before it expires. */
const maxLifetimeSeconds = 3_600;

interface TicketVerifierOptions {
  serverKeys: readonly string[];
  /** Unix time. */
  now(): number;
  /** The key of a relay that runs alone: it accepts only tickets that name it. */
  relayKey?: string | undefined;
}

export function createTicketVerifier({ serverKeys, now, relayKey }: TicketVerifierOptions): TicketVerifier {
  const keys = serverKeys.map((text) => ({ text, key: toPublicKey(text) }));
  /** Until when a used ticket is remembered, by pairing, side and server. */
  const used = new Map<string, number>();
  const purpose = relayKey === undefined ? 'ticket' : 'remote_ticket';

  const signerOf = (body: string, signature: Uint8Array): string | undefined =>
    keys.find(({ key }) => verify(null, signedBytes(purpose, body), key, signature))?.text;

  function decode(body: string): Ticket | undefined {
    if (relayKey === undefined) return decodeBody('ticket', body);
    const ticket = decodeBody('remote_ticket', body);
    return ticket?.relay === relayKey ? ticket : undefined;
  }

  return {
    redeem(text) {
      const parts = splitSigned(text);
      const serverKey = parts && signerOf(parts.body, parts.signature);
      if (!parts || serverKey === undefined) return undefined;
      const ticket = decode(parts.body);
      const time = now();
      if (!ticket || ticket.exp < time || ticket.exp > time + maxLifetimeSeconds) return undefined;
      const key = ticketKey(ticket.pair, ticket.side, serverKey);
      if (used.has(key)) return undefined;
      used.set(key, ticket.exp + retentionSeconds);
      return { ...ticket, serverKey };
    },
    revoke(pair, serverKey) {
      const until = now() + maxLifetimeSeconds + retentionSeconds;
      for (const key of serverKey === undefined ? serverKeys : [serverKey])
        for (const side of sides) used.set(ticketKey(pair, side, key), until);
    },
    sweep() {
      const time = now();
      for (const [key, until] of used) if (until < time) used.delete(key);
    },
  };
}

/** A server must not be able to use up the tickets of another. */
const ticketKey = (pair: string, side: Side, serverKey: string): string => `${pair} ${side} ${serverKey}`;

const toPublicKey = (x: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
