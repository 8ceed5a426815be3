/** What becomes of a frame that the operator sent: decided by the table of kinds, the grant and the shapes, and by nothing else. */
import {
  decodeKey,
  decodeNumber,
  decodeDataChunk,
  decodePointer,
  decodeWheel,
} from '@drawbridge/contract/session/binary-frames';
import { frameKinds, type FrameKind, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import {
  decodeMessage,
  sessionMessages,
  type SessionMessageKind,
} from '@drawbridge/contract/session/messages';

export type FrameVerdict =
  | { is: 'allowed' }
  /** It is not done, the operator is told, and the session goes on. */
  | { is: 'refused'; message: string }
  /** No honest operator sends this: the session ends. */
  | { is: 'fault'; message: string };

/** The frames that are bytes; all others are in the table of words. */
const readers: Partial<Record<FrameKindName, (payload: Uint8Array) => unknown>> = {
  ping: exactly(4, decodeNumber),
  pong: exactly(4, decodeNumber),
  shown: exactly(4, decodeNumber),
  rekey: exactly(0, () => true),
  pointer: exactly(5, decodePointer),
  wheel: exactly(8, decodeWheel),
  key: decodeKey,
  terminal_bytes: decodeDataChunk,
  file_bytes: decodeDataChunk,
  voice: decodeDataChunk,
};

function exactly(length: number, read: (payload: Uint8Array) => unknown) {
  return (payload: Uint8Array): unknown => (payload.length === length ? read(payload) : undefined);
}

/** Before the shape, the permission: what is not allowed is not even read. */
export function checkFrame(
  kind: FrameKindName,
  payload: Uint8Array,
  permissions: ReadonlySet<string>,
): FrameVerdict {
  const { from, permission }: FrameKind = frameKinds[kind];
  if (from === 'device') return { is: 'fault', message: `Only the device can send ${kind}.` };
  if (permission !== null && !permissions.has(permission))
    return { is: 'refused', message: 'This session does not have permission to do that.' };
  if (!isInShape(kind, payload)) return { is: 'fault', message: `The frame ${kind} is malformed.` };
  return { is: 'allowed' };
}

function isInShape(kind: FrameKindName, payload: Uint8Array): boolean {
  const read = readers[kind];
  if (read) return read(payload) !== undefined;
  return (
    Object.hasOwn(sessionMessages, kind) && decodeMessage(kind as SessionMessageKind, payload) !== undefined
  );
}
