/** The HTTPS requests and responses with which a browser starts a session. */
import * as z from 'zod';
import { brand } from '../brand.ts';
import { list } from '../list.ts';
import { openingProblems, type OpeningProblemCode } from './problem.ts';
import { relayOffers, roundTrips } from './round-trips.ts';

const publicKey = z.base64url().length(43);

/** POST /session/open uses a single-use link. POST /session/resume reconnects to an interrupted session. */
export const openRequest = z.object({
  code: z.string().max(128),
  key: publicKey,
  /** The relays that this browser has reached. */
  round_trips: roundTrips.optional(),
});
export const resumeRequest = z.object({
  session: z.int().min(1),
  secret: z.string().max(128),
  key: publicKey,
  round_trips: roundTrips.optional(),
});

/** POST /session/relays names the relays that a browser may measure: none if there is only that of the server. */
export const relaysRequest = z.object({});
export const relaysReply = z.object({ relays: relayOffers });

/** POST /session/show names what a single-use link opens, without using it. POST /session/inviter names who created an invitation. */
export const showRequest = z.object({ code: z.string().max(128) });
export const inviterRequest = z.object({ code: z.string().max(16) });

/** Whose session it would be, for a page that asks before it begins. */
export const sessionSubject = z.object({
  /** The device, the client or the invitation; empty where the reader is the one who was invited. */
  name: z.string(),
  /** The e-mail address of the person whose rights the link gives; empty for a permanent link. */
  owner: z.string(),
  brand,
  record: z.boolean(),
});
export type SessionSubject = z.output<typeof sessionSubject>;

/** POST /session/note stores the operator's note at the end of a session. */
export const noteRequest = z.object({
  session: z.int().min(1),
  secret: z.string().max(128),
  text: z.string().max(4_096),
});

/**
 * POST /session/again asks for a link that opens a session like this one again. With `check` the server only says whether
 * it would give one.
 */
export const againRequest = z.object({
  session: z.int().min(1),
  secret: z.string().max(128),
  check: z.boolean(),
});
export const againReply = z.object({
  /** With `check`: whether there would be a link. */
  may: z.boolean().optional(),
  url: z.string().max(512).optional(),
});
export type AgainReply = z.output<typeof againReply>;

/** POST /session/record starts a recording during a session, or stops one that was started like this. */
export const recordRequest = z.object({
  session: z.int().min(1),
  secret: z.string().max(128),
  on: z.boolean(),
});
export type RecordRequest = z.output<typeof recordRequest>;

/** POST /session/alarm reports that the device presented another key than the one the operator's browser remembers. */
export const alarmRequest = z.object({
  session: z.int().min(1),
  secret: z.string().max(128),
  known: publicKey,
  shown: publicKey,
});
export type KeyAlarm = z.output<typeof alarmRequest>;
export type SessionNote = z.output<typeof noteRequest>;

export const openReply = z.object({
  session: z.int().min(1),
  /** Needed to resume this session. */
  secret: z.string(),
  /** For the relay at the address `relay` (wss). */
  ticket: z.string(),
  relay: z.string(),
  pair: z.string(),
  /** The Ed25519 key with which the server signs grants. */
  server_key: publicKey,
  /** `key` is absent until the client of an invitation has joined. */
  device: z.object({
    id: z.int().min(0),
    name: z.string(),
    os: z.string(),
    key: publicKey.optional(),
  }),
  permissions: list(z.string(), { max: 64 }),
  record: z.boolean(),
  /** Whether the operator may start and stop a recording; absent from servers that do not offer it. */
  may_record: z.boolean().optional(),
  /** The operator's name as the other participants see it. */
  name: z.string(),
});
export type OpenReply = z.output<typeof openReply>;

/** The response of a refusal. */
export const openRefusal = z.object({
  error: z.object({
    code: z.enum(Object.keys(openingProblems) as OpeningProblemCode[]),
    message: z.string(),
  }),
});

export const relayPath = '/relay';
export const relayProtocol = 'drawbridge.relay';
