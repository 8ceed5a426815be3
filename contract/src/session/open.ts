/** What a browser and the server say to each other to begin a session, over HTTPS. */
import * as z from 'zod';
import { list } from '../list.ts';

const publicKey = z.base64url().length(43);

/** POST /session/open: uses a single-use link. POST /session/resume: comes back to a session that was cut. */
export const openRequest = z.object({ code: z.string().max(128), key: publicKey });
export const resumeRequest = z.object({
  session: z.int().min(1),
  secret: z.string().max(128),
  key: publicKey,
});

/** POST /session/note: what the operator writes down at the end. */
export const noteRequest = z.object({
  session: z.int().min(1),
  secret: z.string().max(128),
  text: z.string().max(4_096),
});

/** POST /session/alarm: the device shows another key than the one the operator's browser knows it by. */
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
  /** Comes back to this session with `resume`. */
  secret: z.string(),
  /** For the relay, and where it is (wss). */
  ticket: z.string(),
  relay: z.string(),
  pair: z.string(),
  /** The Ed25519 key by which the server signs grants. */
  server_key: publicKey,
  /** The device; `key` is absent while the client of an invitation is still awaited. */
  device: z.object({
    id: z.int().min(0),
    name: z.string(),
    os: z.string(),
    key: publicKey.optional(),
  }),
  permissions: list(z.string(), { max: 64 }),
  record: z.boolean(),
  /** Who the operator is to the others in the session. */
  name: z.string(),
});
export type OpenReply = z.output<typeof openReply>;

/** A refusal, with a sentence for the person. `used` stands for used, expired and unknown alike. */
export const openRefusal = z.object({
  error: z.object({
    code: z.enum(['used', 'offline', 'refused', 'disabled', 'forbidden', 'busy', 'invalid', 'ended']),
    message: z.string(),
  }),
});

export type OpenRefusal = z.output<typeof openRefusal>['error'];

export const relayPath = '/relay';
export const relayProtocol = 'drawbridge.relay';
