/**
 * The format of recordings: the screen frames of a session as the device sent them, in chunks that only holders of the
 * account's recording key can decrypt. Each chunk is bound to its position and to the previous chunk, so that none can be
 * changed, removed or moved; the last one is marked as the last.
 *
 * The device generates an X25519 key for the recording. HKDF-SHA-256 over the secret shared with the account's key gives
 * the key of the recording. A chunk is AES-256-GCM ciphertext and tag; its number is the nonce.
 */
import { frameKindOf, frameKinds, type FrameKindName } from './frame-kinds.ts';

const encoder = new TextEncoder();

/** The kinds of frames that are recorded. */
export const recordedKinds: ReadonlySet<FrameKindName> = new Set(['layout', 'video', 'tiles', 'cursor']);

/** `salt` is the SHA-256 of both public keys, the recording's first. */
export const recordingInfo = encoder.encode('drawbridge-recording-key');

/** Additional authenticated data of a chunk. `before` is the SHA-256 of the previous chunk as stored, base64url; empty for the first. */
export const chunkContext = (parts: {
  session: number;
  number: number;
  before: string;
  last: boolean;
}): Uint8Array<ArrayBuffer> =>
  encoder.encode(
    ['drawbridge-recording', parts.session, parts.number, parts.before, parts.last ? 'last' : ''].join('\n'),
  );

/** A chunk ends when it reaches this size or duration. */
export const chunkBytes = 512 * 1_024;
export const chunkSeconds = 5;
/** The largest chunk the server accepts; it leaves space for one large image. */
export const maxChunkBytes = 4 * 1_024 * 1_024;
/** Interval of full images, so that the player can seek without starting at the beginning. */
export const keyframeIntervalSeconds = 60;

/** Headers of a chunk's upload. Apart from the position, they only help the player to seek. */
export const chunkHeaders = {
  /** The recording's own X25519 public key, base64url; the same for all chunks. */
  key: 'drawbridge-recording-key',
  /** Start and end of the chunk in milliseconds of the recording. */
  from: 'drawbridge-recording-from',
  to: 'drawbridge-recording-to',
  /** `1` if the chunk starts with a full image. */
  whole: 'drawbridge-recording-whole',
  /** `1` for the last chunk. */
  last: 'drawbridge-recording-last',
} as const;

export interface RecordedFrame {
  /** Milliseconds since the start of the recording. */
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

/** Decodes the frames of a decrypted chunk and skips unknown kinds. Returns undefined if the chunk is malformed. */
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
