/** The uplink: every message between a device and the gateway, as JSON text over one WebSocket. */
import * as z from 'zod';
import { parseAs } from '../parse.ts';
import { deviceText, facts, fingerprint, reportedHardware } from './facts.ts';

/** The path agents connect to, and the WebSocket protocol they must offer. */
export const uplinkPath = '/uplink';
export const uplinkProtocol = 'drawbridge.uplink';

/** Size of the largest message a device may send. It must also fit into a message between the servers of a cluster. */
export const maxUpBytes = 1_000_000;

const nonce = z.base64url().length(43).describe('32 random bytes');
const signature = z.base64url().length(86).describe('Ed25519');
const publicKey = z.base64url().length(43).describe('Ed25519');
const secret = z.base64url().length(43);

/** From the device to the gateway. */
export const upMessages = {
  /** First message: the protocol version, the device's key, and a nonce for the server to sign. */
  hello: z.object({
    version: z.int().min(0),
    key: publicKey,
    nonce,
    /** The secret part of an enrolment token; absent if the device already belongs to an account. */
    token: z.string().max(64).optional(),
    /** The value the server sent at the last connection. A copied key that is used elsewhere has an old value. */
    epoch: secret.optional(),
  }),
  /** The answer to the challenge, and the device's facts. */
  proof: z.object({ signature, facts, fingerprint }),
  /** The device has stored the new epoch on disk. */
  kept: z.object({ epoch: secret }),
  facts: z.object({ facts }),
  hardware: z.object({ hardware: reportedHardware }),
  /** How an update of the agent proceeds. Sent only to a server whose welcome names `updates`. */
  update: z.object({
    /** `refused`: it could not be done now, and may work later. */
    state: z.enum(['downloading', 'waiting', 'restarting', 'done', 'refused', 'failed']),
    version: deviceText(32),
    message: deviceText(512).optional(),
  }),
  answer: z.object({
    number: z.int().min(1),
    done: z.unknown().optional(),
    refused: deviceText(512).optional(),
    /** How long the device took, in milliseconds, if the command had a trace. */
    ms: z.int().min(0).max(3_600_000).optional(),
  }),
} as const;

/** From the gateway to the device. */
export const downMessages = {
  /** The server proves its identity by signing both nonces and its certificate, and requests the device's proof. */
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
    /** False while the device waits for approval: it stays connected but receives no commands. */
    approved: z.boolean(),
    /** Interval of the gateway's heartbeats. */
    heartbeat_seconds: z.int().min(1),
    /** Whether the account lets the device update itself, also while it cannot join. Absent from servers before version 3. */
    updates: z.enum(['on', 'off']).optional(),
  }),
  command: z.object({
    number: z.int().min(1),
    name: z.string(),
    input: z.unknown(),
    /** The trace that the command belongs to (W3C `traceparent`), on servers that trace. */
    trace: z.string().max(64).optional(),
  }),
  /** Reconnect elsewhere or later, because the server stops or is overloaded. */
  move: z.object({ after_seconds: z.int().min(0).max(3_600), server: z.string().max(256).optional() }),
  /**
   * The connection is refused permanently, or until something changes; `code` tells which. No server sends `unknown_device`
   * or `busy`, but they are part of version 1.
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

/** The kinds a gateway accepts, by the state of the device. */
export const upKindsByState = {
  unknown: ['hello'],
  challenged: ['proof'],
  welcomed: ['kept', 'facts', 'hardware', 'update', 'answer'],
} as const satisfies Record<string, readonly UpMessage['kind'][]>;

/** The kinds a device accepts, by the state of the gateway. */
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
 * Parses a message of one of the expected kinds; other kinds are not checked. Returns undefined if the kind is unknown or the
 * message does not match its schema.
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

/** What each side signs. The first line names the purpose, so that a signature is not valid for another one. */
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
