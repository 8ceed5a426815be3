/** The uplink: every message between a device and the gateway, as JSON text over one WebSocket. */
import * as z from 'zod';
import { parseAs } from '../parse.ts';
import { deviceText, facts, fingerprint, reportedHardware } from './facts.ts';

/** Where agents connect, and the name of the protocol they must ask for. */
export const uplinkPath = '/uplink';
export const uplinkProtocol = 'drawbridge.uplink';

/** Bytes of the longest message a device may send: what passes here must also pass between the servers of a cluster. */
export const maxUpBytes = 1_000_000;

const nonce = z.base64url().length(43).describe('32 random bytes');
const signature = z.base64url().length(86).describe('Ed25519');
const publicKey = z.base64url().length(43).describe('Ed25519');
const secret = z.base64url().length(43);

/** From the device to the gateway. */
export const upMessages = {
  /** First word: which version is spoken, whose key it is, and a nonce for the server to sign. */
  hello: z.object({
    version: z.int().min(0),
    key: publicKey,
    nonce,
    /** Enrolment: the secret part of a token. Absent when the device belongs to an account already. */
    token: z.string().max(64).optional(),
    /** What the server gave at the last connection: a copy of the key that is used elsewhere has an old one. */
    epoch: secret.optional(),
  }),
  /** The answer to the challenge, and what the device is. */
  proof: z.object({ signature, facts, fingerprint }),
  /** The new epoch is on disk. */
  kept: z.object({ epoch: secret }),
  facts: z.object({ facts }),
  hardware: z.object({ hardware: reportedHardware }),
  answer: z.object({
    number: z.int().min(1),
    done: z.unknown().optional(),
    refused: deviceText(512).optional(),
  }),
} as const;

/** From the gateway to the device. */
export const downMessages = {
  /** The server proves who it is by signing both nonces and the certificate it shows, and asks for the same. */
  challenge: z.object({
    nonce,
    key: publicKey,
    certificate: z
      .string()
      .max(64)
      .describe('SHA-256 of the certificate the server itself shows, base64url; empty behind a proxy'),
    signature,
  }),
  welcome: z.object({
    id: z.int().min(1),
    device_id: z.int().min(1),
    owner: z.string(),
    name: z.string(),
    epoch: secret,
    /** The device waits for approval: it may stay, and is told nothing. */
    approved: z.boolean(),
    /** How often the gateway gives a sign of life. */
    heartbeat_seconds: z.int().min(1),
  }),
  command: z.object({ number: z.int().min(1), name: z.string(), input: z.unknown() }),
  /** Come back elsewhere or later: the server stops, or has too much to do. */
  move: z.object({ after_seconds: z.int().min(0).max(3_600), server: z.string().max(256).optional() }),
  /**
   * The door is closed for good, or until something changes; `code` says which. No server says `unknown_device` or `busy`,
   * but they are words of version 1.
   */
  refused: z.object({
    code: z.enum(['unknown_device', 'invalid_token', 'old_version', 'bad_proof', 'unlinked', 'busy']),
    message: z.string(),
  }),
} as const;

export type UpMessage = {
  [Kind in keyof typeof upMessages]: { kind: Kind } & z.output<(typeof upMessages)[Kind]>;
}[keyof typeof upMessages];
export type DownMessage = {
  [Kind in keyof typeof downMessages]: { kind: Kind } & z.output<(typeof downMessages)[Kind]>;
}[keyof typeof downMessages];

/** The kinds a gateway may hear, by how far the device has come. */
export const upKindsByState = {
  unknown: ['hello'],
  challenged: ['proof'],
  welcomed: ['kept', 'facts', 'hardware', 'answer'],
} as const satisfies Record<string, readonly UpMessage['kind'][]>;

/** The kinds a device may hear, by how far the gateway has come. */
export const downKindsByState = {
  unproved: ['challenge', 'refused'],
  proved: ['welcome', 'move', 'refused'],
  welcomed: ['command', 'move', 'refused'],
} as const satisfies Record<string, readonly DownMessage['kind'][]>;

type Kinds = Record<string, z.ZodObject>;
type Message<All extends Kinds, Kind extends keyof All> = {
  [Each in Kind]: { kind: Each } & z.output<All[Each]>;
}[Kind];

/**
 * Reads a message of one of the kinds that are expected now; the others are not even checked. Undefined when it is of no
 * kind at all or not of its kind's shape.
 */
export function readMessage<All extends Kinds, Kind extends keyof All & string>(
  kinds: All,
  text: string,
  expected: readonly Kind[],
): Message<All, Kind> | 'unexpected' | undefined {
  const raw = parse(text);
  if (typeof raw !== 'object' || raw === null || !('kind' in raw)) return undefined;
  const { kind } = raw;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) return undefined;
  if (!(expected as readonly string[]).includes(kind)) return 'unexpected';
  const { data } = parseAs<z.ZodObject>(kinds[kind]!, raw);
  return data && ({ kind, ...data } as never);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What each side signs. The first word says what for, so that no signature serves another purpose. */
export const serverStatement = (parts: {
  serverNonce: string;
  agentNonce: string;
  agentKey: string;
  certificate: string;
}): string =>
  ['drawbridge-uplink-server', parts.serverNonce, parts.agentNonce, parts.agentKey, parts.certificate].join(
    '\n',
  );
export const agentStatement = (parts: {
  serverNonce: string;
  agentNonce: string;
  serverKey: string;
}): string => ['drawbridge-uplink-agent', parts.serverNonce, parts.agentNonce, parts.serverKey].join('\n');
