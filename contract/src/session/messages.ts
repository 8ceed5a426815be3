/** The frames with a JSON payload: their schemas, which the receiver checks. */
import * as z from 'zod';
import { dictionary, list } from '../list.ts';
import { parseAs } from '../parse.ts';
import { software } from '../uplink/facts.ts';
import { maxFrameBytes } from './frame-kinds.ts';
import { fileDragMessages } from './features/file-drag.ts';
import { deviceFileName, devicePath as path } from './features/file-path.ts';
import { printingMessages } from './features/printing.ts';

const publicKey = z.base64url().length(43);
const text = (maxLength: number) => z.string().max(maxLength);
const number = z.int().min(0).max(0xffff_ffff);
const size = z.int().min(1).max(16_384);

const screenSize = z.object({ width: size, height: size });

const monitor = z.object({
  name: text(64),
  x: z.int().min(0).max(65_535),
  y: z.int().min(0).max(65_535),
  width: size,
  height: size,
  primary: z.boolean(),
});

const person = z.object({
  seat: number,
  name: text(320),
  driver: z.boolean(),
  you: z.boolean(),
  /** This person has blacked out the screen of the device; absent if the device does not report it. */
  shield: z.boolean().optional(),
});

const fileEntry = z.object({
  name: deviceFileName,
  kind: z.enum(['folder', 'file', 'link', 'other']),
  size: z.int().min(0),
  /** Unix time of the last change. */
  time: z.int(),
  writable: z.boolean(),
});
export type FileEntry = z.output<typeof fileEntry>;

/**
 * How the hash of a file is computed: the SHA-256 over the SHA-256 of each of its blocks. The operator asks for it, and a
 * device that knows it confirms it; otherwise it is the SHA-256 of the whole file.
 */
const fileHashKind = z.literal('blocks').optional();
export type FileHashKind = z.output<typeof fileHashKind>;

/** The size of a block; the last one of a file is smaller. */
export const hashBlockBytes = 1_024 * 1_024;

const approvalToken = z.base64url().length(43).optional();
const protocolVersion = z.int().min(1).max(65_535).optional();
/** What a side supports beyond the frames of its version. */
const capabilities = list(text(64), { max: 64 }).optional();

export const sessionMessages = {
  hello: z.object({
    grant: text(8_192),
    /** X25519, generated for this session. */
    key: publicKey,
    /** Made with the device's Ed25519 key over the transcript. */
    signature: z.base64url().length(86),
  }),
  confirm: z.object({
    version: z.literal(1),
    /** The version of the session protocol that the operator supports; 1 if absent. */
    protocol: protocolVersion,
    capabilities,
    /** What the device told this operator when a second person had approved the session. */
    approval: approvalToken,
  }),
  state: z.object({
    phase: z.enum(['asking', 'live', 'refused']),
    /** In the phase `asking`: a second person must approve the session; absent if the person at the device is asked. */
    awaits: z.literal('approval').optional(),
    message: text(512),
    /** What the grant allows and the device supports. */
    permissions: list(text(64), { max: 64 }),
    /** What the grant allows but the device does not support, each with a reason. */
    unable: dictionary(text(64), text(512), 64),
    recording: z.boolean(),
    os: z.enum(['win', 'mac', 'linux', 'android', '']),
    home: text(4_096),
    /** The version of the session protocol that the device supports; 1 if absent. */
    protocol: protocolVersion,
    capabilities,
    /** With this, the operator who was approved returns after an interruption; absent on devices without four eyes. */
    approval: approvalToken,
  }),
  end: z.object({
    by: z.enum(['operator', 'device', 'server', 'fault']),
    message: text(512),
    /** The session will continue: the device reboots, or the operator reconnects. */
    back: z.boolean(),
  }),
  people: z.object({ people: list(person, { max: 32 }) }),
  refused: z.object({ kind: text(32), message: text(512) }),
  direct: z.object({
    offer: text(16_384).optional(),
    answer: text(16_384).optional(),
    candidate: text(2_048).optional(),
    /** This is the sender's last frame on the old transport; its next frame comes on the new one. */
    moved: z.enum(['direct', 'relay']).optional(),
    failed: text(512).optional(),
  }),
  layout: z.object({
    width: size,
    height: size,
    /** The monitor that is shown; -1 shows all of them as one image. */
    current: z.int().min(-1).max(32),
    monitors: list(monitor, { max: 32 }),
    /** How the screen is encoded: with video, or as tiles only. Frames of video say whether they are VP8 or H.264. */
    codec: z.enum(['vp8', 'tiles']),
    /** Screen sizes the device can switch to. */
    sizes: list(screenSize, { max: 128 }),
    /** The size before operators changed it; absent while it is as it was, and from devices before version 3. */
    original: screenSize.optional(),
  }),
  view: z.object({
    monitor: z.int().min(-1).max(32).optional(),
    /** The balance between sharpness and speed. */
    quality: z.enum(['auto', 'sharp', 'fast']).optional(),
    paused: z.boolean().optional(),
    /** Whether the operator's browser can decode video. */
    video: z.boolean().optional(),
    /** Whether the operator can enlarge video frames of half the size; pages before version 5 cannot. */
    half: z.boolean().optional(),
    /** Whether the operator's browser can decode H.264 too; pages before version 6 do not say so. */
    h264: z.boolean().optional(),
    /** Starts over with a full image. */
    fresh: z.boolean().optional(),
  }),
  text: z.object({ text: text(4_096) }),
  drive: z.object({ to: z.union([z.literal('me'), z.literal('everyone'), number]) }),
  resize: screenSize,
  clipboard: z.object({ text: text(1_048_576) }),
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
    z.object({ do: z.literal('closed'), id: number, message: text(512) }),
    /** Acknowledges that many bytes, so the device can continue to send. */
    z.object({ do: z.literal('read'), id: number, bytes: number }),
  ]),
  file: z.discriminatedUnion('do', [
    z.object({ do: z.literal('list'), id: number, path, after: text(1_024).optional() }),
    z.object({ do: z.literal('get'), id: number, path, from: z.int().min(0), hash: fileHashKind }),
    /** Starts or resumes an upload. The file is complete when `size` bytes have arrived and their hash is `sha256`. */
    z.object({
      do: z.literal('put'),
      id: number,
      path,
      size: z.int().min(0),
      time: z.int().optional(),
      replace: z.boolean(),
      hash: fileHashKind,
    }),
    z.object({ do: z.literal('finish'), id: number, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    z.object({ do: z.literal('stop'), id: number }),
    z.object({ do: z.literal('folder'), id: number, path }),
    z.object({ do: z.literal('rename'), id: number, path, to: path }),
    z.object({ do: z.literal('remove'), id: number, path }),
    /** Acknowledges that many bytes of the transfer, so the device can continue to send. */
    z.object({ do: z.literal('taken'), id: number, bytes: z.int().min(0) }),
  ]),
  file_answer: z.discriminatedUnion('is', [
    z.object({
      is: z.literal('list'),
      id: number,
      path,
      entries: list(fileEntry, { max: 1_000 }),
      more: z.boolean(),
      /** The number of entries in the folder, including those not listed; older agents do not send it. */
      total: z.int().min(0).optional(),
    }),
    z.object({ is: z.literal('get'), id: number, size: z.int().min(0), time: z.int(), hash: fileHashKind }),
    z.object({ is: z.literal('sent'), id: number, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    /** Continue at this offset, because the bytes of an earlier attempt are kept. */
    z.object({ is: z.literal('put'), id: number, from: z.int().min(0), hash: fileHashKind }),
    z.object({ is: z.literal('taken'), id: number, bytes: z.int().min(0) }),
    z.object({ is: z.literal('done'), id: number }),
    z.object({ is: z.literal('failed'), id: number, message: text(512) }),
  ]),
  ...fileDragMessages,
  ...printingMessages,
  chat: z.object({ text: text(4_096), name: text(320) }),
  call: z.object({ do: z.enum(['ring', 'accept', 'decline', 'hang_up']), message: text(512).optional() }),
  /** `message`: why the device no longer sends it. */
  sound: z.object({ on: z.boolean(), message: text(512).optional() }),
  lock: z.object({}),
  shield: z.object({ on: z.boolean() }),
  reboot: z.object({ safe: z.boolean() }),
  software: z.object({}),
  programs: z.object({ programs: software }),
  install: z.object({ message: text(512) }),
} as const;

export type SessionMessageKind = keyof typeof sessionMessages;
export type SessionMessage<Kind extends SessionMessageKind> = z.output<(typeof sessionMessages)[Kind]>;

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

export const encodeMessage = <Kind extends SessionMessageKind>(
  _kind: Kind,
  message: SessionMessage<Kind>,
): Uint8Array<ArrayBuffer> => encoder.encode(JSON.stringify(message));

/** These contain a whole clipboard, folder or list of programs. */
const largeKinds: ReadonlySet<SessionMessageKind> = new Set(['clipboard', 'file_answer', 'programs']);

/** Size limit of a message of this kind. */
export const maxMessageBytes = (kind: SessionMessageKind): number =>
  largeKinds.has(kind) ? maxFrameBytes : 128 * 1_024;

/** Parses a frame's payload; returns undefined if it does not match the schema of its kind. */
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
