/** The frames that are said in JSON: their shapes, checked by whoever receives them. */
import * as z from 'zod';
import { dictionary, list } from '../list.ts';
import { parseAs } from '../parse.ts';
import { software } from '../uplink/facts.ts';
import { maxFrameBytes } from './frame-kinds.ts';

const publicKey = z.base64url().length(43);
const line = (longest: number) => z.string().max(longest);
const number = z.int().min(0).max(0xffff_ffff);
const size = z.int().min(1).max(16_384);

const monitor = z.object({
  name: line(64),
  x: z.int().min(0).max(65_535),
  y: z.int().min(0).max(65_535),
  width: size,
  height: size,
  primary: z.boolean(),
});

const person = z.object({
  seat: number,
  name: line(320),
  driver: z.boolean(),
  you: z.boolean(),
  /** The screen of the device is black because of this one; absent where the device does not tell. */
  shield: z.boolean().optional(),
});

/** What a person may do with files; paths are those of the device, separated by slashes. */
const path = line(4_096).refine((text) => !text.includes('\0'), 'must not contain NUL');

/** A single path component: appended to a folder it must not lead out of it. */
const fileName = line(1_024).refine(
  (text) => !['', '.', '..'].includes(text) && !/[\0/]/.test(text),
  'must be the name of one file',
);

export const fileEntry = z.object({
  name: fileName,
  kind: z.enum(['folder', 'file', 'link', 'other']),
  size: z.int().min(0),
  /** Unix time of the last change. */
  time: z.int(),
  writable: z.boolean(),
});
export type FileEntry = z.output<typeof fileEntry>;

const protocolVersion = z.int().min(1).max(65_535).optional();
/** What a side can do beyond the frames of its version. */
const capabilities = list(line(64), { max: 64 }).optional();

export const sessionMessages = {
  hello: z.object({
    grant: line(8_192),
    /** X25519, made for this session. */
    key: publicKey,
    /** Of the device's Ed25519 key over the transcript. */
    signature: z.base64url().length(86),
  }),
  confirm: z.object({
    version: z.literal(1),
    /** The version of the session protocol that the operator knows; 1 where it is absent. */
    protocol: protocolVersion,
    capabilities,
  }),
  state: z.object({
    phase: z.enum(['asking', 'live', 'refused']),
    message: line(512),
    /** What the grant allows and the device can do. */
    permissions: list(line(64), { max: 64 }),
    /** What the device can not do of that, each with a sentence. */
    unable: dictionary(line(64), line(512), 64),
    recording: z.boolean(),
    os: z.enum(['win', 'mac', 'linux', 'android', '']),
    home: line(4_096),
    /** The version of the session protocol that the device knows; 1 where it is absent. */
    protocol: protocolVersion,
    capabilities,
  }),
  end: z.object({
    by: z.enum(['operator', 'device', 'server', 'fault']),
    message: line(512),
    /** The session will go on: the device reboots, or the operator comes back. */
    back: z.boolean(),
  }),
  people: z.object({
    people: list(person, { max: 32 }),
  }),
  refused: z.object({ kind: line(32), message: line(512) }),
  direct: z.object({
    offer: line(16_384).optional(),
    answer: line(16_384).optional(),
    candidate: line(2_048).optional(),
    /** The sender's last frame on the old way was the one before; its next comes on the new way. */
    moved: z.enum(['direct', 'relay']).optional(),
    failed: line(512).optional(),
  }),
  layout: z.object({
    width: size,
    height: size,
    /** The one shown; -1: all of them as one picture. */
    current: z.int().min(-1).max(32),
    monitors: list(monitor, { max: 32 }),
    /** How the picture comes: the codec string of WebCodecs, or tiles only. */
    codec: z.enum(['vp8', 'tiles']),
    /** Screen sizes the device can switch to. */
    sizes: list(z.object({ width: size, height: size }), { max: 128 }),
  }),
  view: z.object({
    monitor: z.int().min(-1).max(32).optional(),
    /** How the picture is balanced between sharp and fast. */
    quality: z.enum(['auto', 'sharp', 'fast']).optional(),
    paused: z.boolean().optional(),
    /** What the operator's browser can decode. */
    video: z.boolean().optional(),
    /** Starts over with a whole picture. */
    fresh: z.boolean().optional(),
  }),
  text: z.object({ text: line(4_096) }),
  drive: z.object({ to: z.union([z.literal('me'), z.literal('everyone'), number]) }),
  resize: z.object({ width: size, height: size }),
  clipboard: z.object({ text: line(1_048_576) }),
  terminal: z.discriminatedUnion('do', [
    z.object({
      do: z.literal('open'),
      id: number,
      columns: z.int().min(2).max(1_000),
      rows: z.int().min(2).max(500),
    }),
    z.object({
      do: z.literal('resize'),
      id: number,
      columns: z.int().min(2).max(1_000),
      rows: z.int().min(2).max(500),
    }),
    z.object({ do: z.literal('close'), id: number }),
    z.object({ do: z.literal('closed'), id: number, message: line(512) }),
    /** So many bytes were shown: the device sends on. */
    z.object({ do: z.literal('read'), id: number, bytes: number }),
  ]),
  file: z.discriminatedUnion('do', [
    z.object({ do: z.literal('list'), id: number, path, after: line(1_024).optional() }),
    z.object({ do: z.literal('get'), id: number, path, from: z.int().min(0) }),
    /** Begins, or goes on with, a file that is complete when `size` bytes are there and their hash is `sha256`. */
    z.object({
      do: z.literal('put'),
      id: number,
      path,
      size: z.int().min(0),
      time: z.int().optional(),
      replace: z.boolean(),
    }),
    z.object({ do: z.literal('finish'), id: number, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    z.object({ do: z.literal('stop'), id: number }),
    z.object({ do: z.literal('folder'), id: number, path }),
    z.object({ do: z.literal('rename'), id: number, path, to: path }),
    z.object({ do: z.literal('remove'), id: number, path }),
    /** So many bytes of the transfer have arrived: the device sends on. */
    z.object({ do: z.literal('taken'), id: number, bytes: z.int().min(0) }),
  ]),
  file_answer: z.discriminatedUnion('is', [
    z.object({
      is: z.literal('list'),
      id: number,
      path,
      entries: list(fileEntry, { max: 1_000 }),
      more: z.boolean(),
      /** How many lie in the folder, also beyond those that are shown; older agents do not say. */
      total: z.int().min(0).optional(),
    }),
    z.object({ is: z.literal('get'), id: number, size: z.int().min(0), time: z.int() }),
    z.object({ is: z.literal('sent'), id: number, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    /** Go on from here: what an earlier try has left is kept. */
    z.object({ is: z.literal('put'), id: number, from: z.int().min(0) }),
    z.object({ is: z.literal('taken'), id: number, bytes: z.int().min(0) }),
    z.object({ is: z.literal('done'), id: number }),
    z.object({ is: z.literal('failed'), id: number, message: line(512) }),
  ]),
  chat: z.object({ text: line(4_096), name: line(320) }),
  call: z.object({ do: z.enum(['ring', 'accept', 'decline', 'hang_up']), message: line(512).optional() }),
  lock: z.object({}),
  shield: z.object({ on: z.boolean() }),
  reboot: z.object({ safe: z.boolean() }),
  software: z.object({}),
  programs: z.object({ programs: software }),
  install: z.object({ message: line(512) }),
} as const;

export type SessionMessageKind = keyof typeof sessionMessages;
export type SessionMessage<Kind extends SessionMessageKind> = z.output<(typeof sessionMessages)[Kind]>;

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

export const encodeMessage = <Kind extends SessionMessageKind>(
  _kind: Kind,
  message: SessionMessage<Kind>,
): Uint8Array<ArrayBuffer> => encoder.encode(JSON.stringify(message));

/** These hold a whole clipboard, folder or list of programs. */
const largeKinds: ReadonlySet<SessionMessageKind> = new Set(['clipboard', 'file_answer', 'programs']);

/** Bytes of the longest word of a kind. */
export const maxMessageBytes = (kind: SessionMessageKind): number =>
  largeKinds.has(kind) ? maxFrameBytes : 128 * 1_024;

/** Reads a frame's payload; undefined when it is not of its kind's shape. */
export function decodeMessage<Kind extends SessionMessageKind>(
  kind: Kind,
  payload: Uint8Array,
): SessionMessage<Kind> | undefined {
  if (payload.length > maxMessageBytes(kind)) return undefined;
  try {
    return parseAs<z.ZodType>(sessionMessages[kind], JSON.parse(decoder.decode(payload))).data as
      | SessionMessage<Kind>
      | undefined;
  } catch {
    return undefined;
  }
}
