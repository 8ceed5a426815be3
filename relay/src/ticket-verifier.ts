/** Verifies tickets: signed by the server, for this purpose, of the right shape, not expired and not used before. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import { decodeBody, signedBytes, splitSigned, type Ticket } from '@drawbridge/contract/session/signed';

export interface TicketVerifier {
  /** Marks the ticket as used; undefined when it is not valid. */
  redeem(text: string): Ticket | undefined;
  /** From now on no ticket for this pairing is valid, used or not. */
  revoke(pair: string): void;
  /** Forgets used tickets that expired long ago. */
  sweep(): void;
}

const sides: readonly Side[] = ['operator', 'device'];
/** A used ticket is remembered after it expires, so that it does not become valid again when the clock is set back. */
const retentionSeconds = 2 * 3_600;
/** The server signs no ticket with a longer lifetime. One that has it is refused, because it could be forgotten before it expires. */
const maxLifetimeSeconds = 3_600;

export function createTicketVerifier(serverKeys: readonly string[], now: () => number): TicketVerifier {
  const keys = serverKeys.map(toPublicKey);
  /** Until when a used ticket is remembered, by pairing and side. */
  const used = new Map<string, number>();

  const isSigned = (body: string, signature: Uint8Array): boolean =>
    keys.some((key) => verify(null, signedBytes('ticket', body), key, signature));

  return {
    redeem(text) {
      const parts = splitSigned(text);
      if (!parts || !isSigned(parts.body, parts.signature)) return undefined;
      const ticket = decodeBody('ticket', parts.body);
      const time = now();
      if (!ticket || ticket.exp < time || ticket.exp > time + maxLifetimeSeconds) return undefined;
      const key = ticketKey(ticket.pair, ticket.side);
      if (used.has(key)) return undefined;
      used.set(key, ticket.exp + retentionSeconds);
      return ticket;
    },
    revoke(pair) {
      for (const side of sides)
        used.set(ticketKey(pair, side), now() + maxLifetimeSeconds + retentionSeconds);
    },
    sweep() {
      const time = now();
      for (const [key, until] of used) if (until < time) used.delete(key);
    },
  };
}

const ticketKey = (pair: string, side: Side): string => `${pair} ${side}`;

const toPublicKey = (x: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
