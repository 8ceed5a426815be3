/** Who may come in: a ticket must be signed by the server, made for this purpose, of the right shape, in time, and unused. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { Side } from '@drawbridge/contract/session/frame-kinds';
import { decodeBody, signedBytes, splitSigned, type Ticket } from '@drawbridge/contract/session/signed';

export interface Tickets {
  /** Uses the ticket up; undefined when it does not admit. */
  use(text: string): Ticket | undefined;
  /** Nobody is admitted to this pairing any more, whether they came already or not. */
  void(pair: string): void;
  /** Forgets what has expired long ago. */
  tidy(): void;
}

const sides: readonly Side[] = ['operator', 'device'];
/** A used ticket is remembered beyond its time, so that it does not live again when the clock is put back. */
const memorySeconds = 2 * 3_600;
/** The server makes no ticket that lives longer; one that would is never forgotten too early. */
const longestLifeSeconds = 3_600;

export function createTickets(serverKeys: readonly string[], now: () => number): Tickets {
  const keys = serverKeys.map(toKey);
  /** By pairing and side, until when it is remembered. */
  const used = new Map<string, number>();

  const isSigned = (body: string, signature: Uint8Array): boolean =>
    keys.some((key) => verify(null, signedBytes('ticket', body), key, signature));

  return {
    use(text) {
      const parts = splitSigned(text);
      if (!parts || !isSigned(parts.body, parts.signature)) return undefined;
      const ticket = decodeBody('ticket', parts.body);
      const time = now();
      if (!ticket || ticket.exp < time || ticket.exp > time + longestLifeSeconds) return undefined;
      const name = nameOf(ticket.pair, ticket.side);
      if (used.has(name)) return undefined;
      used.set(name, ticket.exp + memorySeconds);
      return ticket;
    },
    void(pair) {
      for (const side of sides) used.set(nameOf(pair, side), now() + longestLifeSeconds + memorySeconds);
    },
    tidy() {
      const time = now();
      for (const [name, until] of used) if (until < time) used.delete(name);
    },
  };
}

const nameOf = (pair: string, side: Side): string => `${pair} ${side}`;

const toKey = (x: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
