/** The payload of each kind of frame as a value: how it is encoded, and decoded with every check. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import {
  type DataChunk,
  type KeyInput,
  type PointerInput,
  type WheelInput,
  decodeDataChunk,
  decodeKey,
  decodeNumber,
  decodePointer,
  decodeWheel,
  encodeChunkHeader,
  encodeDataChunk,
  encodeKey,
  encodeNumber,
  encodePointer,
  encodeWheel,
} from '@drawbridge/contract/session/binary-frames';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import {
  decodeMessage,
  encodeMessage,
  sessionMessages,
  type SessionMessage,
  type SessionMessageKind,
} from '@drawbridge/contract/session/messages';
import {
  type CursorUpdate,
  type TileUpdate,
  type VideoUpdate,
  decodeCursor,
  decodeTiles,
  decodeVideo,
  encodeCursor,
  encodeTiles,
  encodeVideo,
} from '@drawbridge/contract/session/screen-frames';

interface BinaryPayloads {
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
  document_bytes: DataChunk;
  voice: DataChunk;
  sound_bytes: DataChunk;
}

export type Payload<Kind extends FrameKindName> = Kind extends SessionMessageKind
  ? SessionMessage<Kind>
  : Kind extends keyof BinaryPayloads
    ? BinaryPayloads[Kind]
    : never;

interface Codec<Value> {
  encode(value: Value): Bytes;
  /** Undefined when the bytes are malformed. */
  decode(bytes: Uint8Array): Value | undefined;
}

/** A codec whose payloads all have this length. */
const fixed = <Value>(length: number, { encode, decode }: Codec<Value>): Codec<Value> => ({
  encode,
  decode: (bytes) => (bytes.length === length ? decode(bytes) : undefined),
});

const number = fixed(4, { encode: encodeNumber, decode: decodeNumber });
const chunk: Codec<DataChunk> = { encode: encodeDataChunk, decode: decodeDataChunk };

const codecs: { [Kind in keyof BinaryPayloads]: Codec<BinaryPayloads[Kind]> } = {
  rekey: { encode: () => new Uint8Array(0), decode: () => undefined },
  ping: number,
  pong: number,
  shown: number,
  video: { encode: encodeVideo, decode: decodeVideo },
  tiles: { encode: encodeTiles, decode: decodeTiles },
  cursor: { encode: encodeCursor, decode: decodeCursor },
  pointer: fixed(5, { encode: encodePointer, decode: decodePointer }),
  wheel: fixed(8, { encode: encodeWheel, decode: decodeWheel }),
  key: { encode: encodeKey, decode: decodeKey },
  terminal_bytes: chunk,
  file_bytes: chunk,
  document_bytes: chunk,
  voice: chunk,
  sound_bytes: chunk,
};

const isMessage = (kind: FrameKindName): kind is SessionMessageKind => Object.hasOwn(sessionMessages, kind);

export function encodePayload<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): Bytes {
  if (isMessage(kind))
    return encodeMessage<SessionMessageKind>(kind, payload as SessionMessage<SessionMessageKind>);
  return (codecs[kind as keyof BinaryPayloads] as Codec<Payload<Kind>>).encode(payload);
}

/** A payload, in one or several parts. */
export type PayloadParts = readonly [Uint8Array, ...Uint8Array[]];

/** As `encodePayload`, but the content of a file is not copied behind its header. */
export function encodeParts<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): PayloadParts {
  if (kind !== 'file_bytes') return [encodePayload(kind, payload)];
  const { data, ...header } = payload as DataChunk;
  return [encodeChunkHeader(header), data];
}

/** Undefined when the bytes do not have the shape of their kind. */
export function decodePayload<Kind extends FrameKindName>(
  kind: Kind,
  bytes: Uint8Array,
): Payload<Kind> | undefined {
  if (isMessage(kind)) return decodeMessage(kind, bytes) as Payload<Kind> | undefined;
  return (codecs[kind as keyof BinaryPayloads] as Codec<Payload<Kind>>).decode(bytes);
}
