/** What each kind of frame carries, as a value; how it is written, and read with care. */
import {
  type KeyInput,
  type DataChunk,
  type PointerInput,
  type WheelInput,
  encodeKey,
  encodeNumber,
  encodeDataChunk,
  encodePointer,
  decodeKey,
  decodeNumber,
  decodeDataChunk,
  decodePointer,
  decodeWheel,
  encodeWheel,
} from '@drawbridge/contract/session/binary-frames';
import {
  type CursorUpdate,
  type TileUpdate,
  type VideoUpdate,
  encodeCursor,
  decodeCursor,
  decodeTiles,
  decodeVideo,
  encodeTiles,
  encodeVideo,
} from '@drawbridge/contract/session/screen-frames';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import {
  decodeMessage,
  encodeMessage,
  sessionMessages,
  type SessionMessage,
  type SessionMessageKind,
} from '@drawbridge/contract/session/messages';
import type { BufferBytes } from './keys.ts';

interface BytePayloads {
  rekey: undefined;
  ping: number;
  pong: number;
  shown: number;
  video: VideoUpdate;
  tiles: TileUpdate;
  cursor: CursorUpdate;
  pointer: PointerInput;
  wheel: WheelInput;
  key: KeyInput;
  terminal_bytes: DataChunk;
  file_bytes: DataChunk;
  voice: DataChunk;
}

export type Payload<Kind extends FrameKindName> = Kind extends SessionMessageKind
  ? SessionMessage<Kind>
  : Kind extends keyof BytePayloads
    ? BytePayloads[Kind]
    : never;

interface Codec<Value> {
  write(value: Value): BufferBytes;
  read(bytes: Uint8Array): Value | undefined;
}

const number: Codec<number> = { write: encodeNumber, read: decodeNumber };
const piece: Codec<DataChunk> = { write: encodeDataChunk, read: decodeDataChunk };

const codecs: { [Kind in keyof BytePayloads]: Codec<BytePayloads[Kind]> } = {
  rekey: { write: () => new Uint8Array(0), read: () => undefined },
  ping: number,
  pong: number,
  shown: number,
  video: { write: encodeVideo, read: decodeVideo },
  tiles: { write: encodeTiles, read: decodeTiles },
  cursor: { write: encodeCursor, read: decodeCursor },
  pointer: { write: encodePointer, read: decodePointer },
  wheel: { write: encodeWheel, read: decodeWheel },
  key: { write: encodeKey, read: decodeKey },
  terminal_bytes: piece,
  file_bytes: piece,
  voice: piece,
};

const isWord = (kind: FrameKindName): kind is SessionMessageKind => kind in sessionMessages;

export function payloadBytes<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): BufferBytes {
  if (isWord(kind))
    return encodeMessage<SessionMessageKind>(kind, payload as SessionMessage<SessionMessageKind>);
  return (codecs[kind as keyof BytePayloads] as Codec<Payload<Kind>>).write(payload);
}

/** Undefined when the bytes are not of their kind's shape. */
export function readPayload<Kind extends FrameKindName>(
  kind: Kind,
  bytes: BufferBytes,
): Payload<Kind> | undefined {
  if (isWord(kind)) return decodeMessage(kind, bytes) as Payload<Kind> | undefined;
  return (codecs[kind as keyof BytePayloads] as Codec<Payload<Kind>>).read(bytes);
}
