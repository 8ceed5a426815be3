/**
 * A recording: the pictures of a session as the device sent them, in chunks that only holders of the account's
 * recording key can open. Each chunk is bound to its place and to the chunk before it, so that none can be changed,
 * left out or moved; the last one says that it is the last.
 *
 * The device makes an X25519 key for the recording. HKDF-SHA-256 over the secret it shares with the account's key gives
 * the key of the recording. A chunk is AES-256-GCM ciphertext and tag, its number the nonce.
 */
import { frameKindOf, frameKinds, type FrameKindName } from './frame-kinds.ts';

const encoder = new TextEncoder();

/** What is kept of a session. */
export const recordedKinds: ReadonlySet<FrameKindName> = new Set(['layout', 'video', 'tiles', 'cursor']);

/** `salt` is the SHA-256 of both public keys, the recording's first. */
export const recordingInfo = encoder.encode('drawbridge-recording-key');

/** Authenticated with each chunk. `before` is the SHA-256 of the chunk before as it was stored, base64url; empty for the first. */
export const chunkContext = (parts: {
  session: number;
  number: number;
  before: string;
  last: boolean;
}): Uint8Array<ArrayBuffer> =>
  encoder.encode(
    ['drawbridge-recording', parts.session, parts.number, parts.before, parts.last ? 'last' : ''].join('\n'),
  );

/** Chunks are closed when they hold this much, or cover this long a time. */
export const chunkBytes = 512 * 1_024;
export const chunkSeconds = 5;
/** The longest a server takes, with room for one large picture. */
export const maxChunkBytes = 4 * 1_024 * 1_024;
/** Every so often the picture begins anew: where somebody jumps to, the player need not start at the beginning. */
export const keyframeIntervalSeconds = 60;

/** Headers with which a device uploads a chunk; what they say beside the place is for the player to find its way. */
export const chunkHeaders = {
  /** The recording's own X25519 public key, base64url; the same for all. */
  key: 'drawbridge-recording-key',
  /** Milliseconds of the recording when the chunk begins and ends. */
  from: 'drawbridge-recording-from',
  to: 'drawbridge-recording-to',
  /** `1`: begins with a whole picture. */
  whole: 'drawbridge-recording-whole',
  /** `1`: the last one. */
  last: 'drawbridge-recording-last',
} as const;

export interface RecordedFrame {
  /** Milliseconds since the recording began. */
  at: number;
  kind: FrameKindName;
  payload: Uint8Array;
}

const headerBytes = 9;

export function encodeRecordedFrame({ at, kind, payload }: RecordedFrame): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headerBytes + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, at);
  view.setUint8(4, frameKinds[kind].byte);
  view.setUint32(5, payload.length);
  bytes.set(payload, headerBytes);
  return bytes;
}

/** The frames of an opened chunk; what is of an unknown kind is left out. Undefined when it is no chunk at all. */
export function decodeRecordedFrames(chunk: Uint8Array): RecordedFrame[] | undefined {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const found: RecordedFrame[] = [];
  for (let at = 0; at < chunk.length;) {
    if (at + headerBytes > chunk.length) return undefined;
    const end = at + headerBytes + view.getUint32(at + 5);
    if (end > chunk.length) return undefined;
    const kind = frameKindOf(view.getUint8(at + 4));
    if (kind) found.push({ at: view.getUint32(at), kind, payload: chunk.subarray(at + headerBytes, end) });
    at = end;
  }
  return found;
}
