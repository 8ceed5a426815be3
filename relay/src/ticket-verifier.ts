/** Who may come in: a ticket must be signed by the server, made for this purpose, of the right shape, in time, and unused. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import { decodeBody, signedBytes, splitSigned, type Ticket } from '@drawbridge/contract/session/signed';

export interface TicketVerifier {
  /** Uses the ticket up; undefined when it does not admit. */
  redeem(text: string): Ticket | undefined;
  /** Nobody is admitted to this pairing any more, whether they came already or not. */
  revoke(pair: string): void;
  /** Forgets what has expired long ago. */
  sweep(): void;
}

const sides: readonly Side[] = ['operator', 'device'];
/** A used ticket is remembered beyond its time, so that it does not live again when the clock is put back. */
const retentionSeconds = 2 * 3_600;
/** The server makes no ticket that lives longer; one that would is never forgotten too early. */
const maxLifetimeSeconds = 3_600;

export function createTicketVerifier(serverKeys: readonly string[], now: () => number): TicketVerifier {
  const keys = serverKeys.map(toPublicKey);
  /** By pairing and side, until when it is remembered. */
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
      const name = ticketKey(ticket.pair, ticket.side);
      if (used.has(name)) return undefined;
      used.set(name, ticket.exp + retentionSeconds);
      return ticket;
    },
    revoke(pair) {
      for (const side of sides)
        used.set(ticketKey(pair, side), now() + maxLifetimeSeconds + retentionSeconds);
    },
    sweep() {
      const time = now();
      for (const [name, until] of used) if (until < time) used.delete(name);
    },
  };
}

const ticketKey = (pair: string, side: Side): string => `${pair} ${side}`;

const toPublicKey = (x: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
