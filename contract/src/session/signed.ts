/** Signed statements: the ticket for the relay and the grant for the device, by the server; the approval, by a second person. All with Ed25519. */
import * as z from 'zod';
import { list } from '../list.ts';
import { parseAs } from '../parse.ts';
import { approval } from './approval.ts';

const publicKey = z.base64url().length(43);
const permissions = list(z.string().max(64), { max: 64 });
const unixtime = z.int().min(0);

/** Admits one side to one pairing of the relay, once. */
export const ticket = z.object({
  v: z.literal(1),
  /** Identifies the pairing and cannot be guessed. */
  pair: z.base64url().length(22),
  side: z.enum(['operator', 'device']),
  permissions,
  /** The node that holds the session; absent on a server that is alone. */
  node: z.string().max(64).optional(),
  /** The ticket is not accepted after this time. */
  exp: unixtime,
});
export type Ticket = z.output<typeof ticket>;

/** The same for a relay that runs alone, and for no other. Its purpose differs, so that the relay of a server does not accept it. */
const remoteTicket = ticket.extend({
  /** The Ed25519 key of the relay. */
  relay: publicKey,
});

/** Where a device uploads a recording, and the account's key that it is sealed for. */
export const recordingTarget = z.object({
  url: z.string().max(512),
  token: z.string().max(64),
  key: publicKey,
});
export type RecordingTarget = z.output<typeof recordingTarget>;

/** What the operator may do on the device in this session. The device enforces the grant and trusts nothing else. */
export const grant = z.object({
  v: z.literal(1),
  session: z.int().min(1),
  pair: z.base64url().length(22),
  /** The Ed25519 key of the device the grant is for. */
  device_key: publicKey,
  /** The X25519 key that the operator's browser generated for this session. */
  operator_key: publicKey,
  operator: z.object({ name: z.string().max(320), address: z.string().max(64) }),
  /** Why the operator was given access for a while; absent if it lasts. Devices before version 8 do not show it. */
  reason: z.string().max(1_000).optional(),
  permissions,
  /** The person at the device is asked before anything is shown. */
  confirm: z.boolean(),
  /** Where to upload the recording; absent if nothing is recorded. */
  record: recordingTarget.optional(),
  /** STUN servers for a direct connection, such as `stun:host:3478`; absent if direct connections are turned off. */
  ice: list(z.string().max(256), { max: 8 }).optional(),
  nbf: unixtime,
  exp: unixtime,
  nonce: z.base64url().length(22),
});
export type Grant = z.output<typeof grant>;

/** The signed bytes contain the purpose, so that a signature is not valid for another one. */
const purposes = {
  ticket: 'drawbridge-session-ticket',
  remote_ticket: 'drawbridge-remote-relay-ticket',
  grant: 'drawbridge-session-grant',
  approval: 'drawbridge-session-approval',
} as const;
const schemas = { ticket, remote_ticket: remoteTicket, grant, approval } as const;
export type Purpose = keyof typeof purposes;
export type Statement<Name extends Purpose> = z.output<(typeof schemas)[Name]>;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });
const options = { alphabet: 'base64url', omitPadding: true } as const;

export const toBase64url = (bytes: Uint8Array): string => bytes.toBase64(options);
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.fromBase64(text, { alphabet: 'base64url' });

/** The bytes that a signature of this purpose covers. */
export const signedBytes = (purpose: Purpose, body: string): Uint8Array<ArrayBuffer> =>
  encoder.encode(`${purposes[purpose]}\n${body}`);

export const encodeBody = <Name extends Purpose>(_purpose: Name, statement: Statement<Name>): string =>
  toBase64url(encoder.encode(JSON.stringify(statement)));

export const withSignature = (body: string, signature: Uint8Array): string =>
  `${body}.${toBase64url(signature)}`;

/** Splits a signed statement, or returns undefined if it is malformed. The caller still has to verify the signature. */
export function splitSigned(text: string): { body: string; signature: Uint8Array<ArrayBuffer> } | undefined {
  const [body, signature, ...more] = text.split('.', 3);
  if (!body || !signature || more.length > 0) return undefined;
  try {
    return { body, signature: fromBase64url(signature) };
  } catch {
    return undefined;
  }
}

/** Parses the body of a statement whose signature is valid. */
export function decodeBody<Name extends Purpose>(purpose: Name, body: string): Statement<Name> | undefined {
  try {
    const raw: unknown = JSON.parse(decoder.decode(fromBase64url(body)));
    return parseAs<z.ZodType>(schemas[purpose], raw).data as Statement<Name> | undefined;
  } catch {
    return undefined;
  }
}
