/** The connection over which a server controls a relay that runs alone: every message, as JSON text over one WebSocket. */
import * as z from 'zod';
import { list } from '../list.ts';
import { parseAs } from '../parse.ts';

export const controlPath = '/relay/control';
export const controlProtocol = 'drawbridge.relay-control';
export const controlVersion = 1;
/** The largest message: the pairings of a server that connects again. */
export const maxControlBytes = 1_000_000;

const publicKey = z.base64url().length(43).describe('Ed25519');
const nonce = z.base64url().length(43).describe('32 random bytes');
const signature = z.base64url().length(86).describe('Ed25519');
const pair = z.base64url().length(22);
const bytes = z.int().min(0);
const maxPairs = 20_000;

/** From the server to the relay. */
export const serverMessages = {
  hello: z.object({
    version: z.int().min(1),
    key: publicKey,
    /** The node of the server whose sessions it controls; empty for a server that is alone. */
    node: z.string().max(64),
    nonce,
  }),
  /** The answer to the challenge, and what the relay needs to know. */
  proof: z.object({
    signature,
    /** The origin of the pages that may connect. */
    origin: z.string().max(512),
    /** The pairings that the server still knows. The relay releases all others of this node. */
    pairs: list(pair, { max: maxPairs }),
  }),
  /** Ends a pairing and revokes its tickets; the reason is a sentence for both sides. */
  close: z.object({ pair, reason: z.string().max(512) }),
  /** Ends a pairing so that its two sides connect again elsewhere. */
  release: z.object({ pair }),
} as const;

/** From the relay to the server. */
export const relayMessages = {
  challenge: z.object({
    key: publicKey,
    nonce,
    /** SHA-256 of the certificate that the relay presents, base64url. */
    certificate: z.string().max(64),
    signature,
  }),
  /** Control has begun; the pairings of this node that are still connected. Older relays say nothing about themselves. */
  welcome: z.object({
    /** The version of Drawbridge that the relay runs. */
    version: z.string().max(64).optional(),
    /** The clock of the relay, in seconds. */
    now: z.int().optional(),
    sessions: list(z.object({ pair, paired: z.boolean(), bytes }), { max: maxPairs }),
  }),
  joined: z.object({ pair }),
  paired: z.object({ pair }),
  /** What pairings have carried so far. */
  bytes: z.object({ counts: list(z.object({ pair, bytes }), { max: maxPairs }) }),
  end: z.object({
    pair,
    to_operator: bytes,
    to_device: bytes,
    direct: bytes,
    by: z.enum(['operator', 'device', 'server', 'fault']),
    code: z.int().min(0).max(65_535),
  }),
} as const;

type Messages = Readonly<Record<string, z.ZodObject>>;
type MessageOf<Table extends Messages> = {
  [Kind in keyof Table]: { kind: Kind } & z.output<Table[Kind]>;
}[keyof Table];
export type ServerControlMessage = MessageOf<typeof serverMessages>;
export type RelayMessage = MessageOf<typeof relayMessages>;

/** Undefined if it is not one of these messages. */
export function parseControl<Table extends Messages>(
  table: Table,
  text: string,
): MessageOf<Table> | undefined {
  try {
    const raw = JSON.parse(text) as { kind?: unknown } | null;
    const kind = raw?.kind;
    if (typeof kind !== 'string' || !Object.hasOwn(table, kind)) return undefined;
    const { data } = parseAs<z.ZodObject>(table[kind]!, raw);
    return data && ({ kind, ...data } as never);
  } catch {
    return undefined;
  }
}

/** What each side signs. The first two lines name the purpose and the side, so that a signature is not valid for another. */
export const controlStatement = (
  side: 'server' | 'relay',
  parts: {
    serverKey: string;
    relayKey: string;
    node: string;
    serverNonce: string;
    relayNonce: string;
    certificate: string;
  },
): string =>
  [
    'drawbridge-relay-control',
    side,
    parts.serverKey,
    parts.relayKey,
    parts.node,
    parts.serverNonce,
    parts.relayNonce,
    parts.certificate,
  ].join('\n');
