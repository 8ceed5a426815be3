/** What each kind of frame carries, as a value; how it is written, and read with care. */
import {
  type Key,
  type Piece,
  type Pointer,
  type Wheel,
  keyBytes,
  numberBytes,
  pieceBytes,
  pointerBytes,
  readKey,
  readNumber,
  readPiece,
  readPointer,
  readWheel,
  wheelBytes,
} from '@drawbridge/contract/session/bytes';
import {
  type Cursor,
  type Tiles,
  type Video,
  cursorBytes,
  readCursor,
  readTiles,
  readVideo,
  tilesBytes,
  videoBytes,
} from '@drawbridge/contract/session/pictures';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { readWord, wordBytes, words, type Word, type WordKind } from '@drawbridge/contract/session/words';
import type { Bytes } from './keys.ts';

interface BytePayloads {
  rekey: undefined;
  ping: number;
  pong: number;
  shown: number;
  video: Video;
  tiles: Tiles;
  cursor: Cursor;
  pointer: Pointer;
  wheel: Wheel;
  key: Key;
  terminal_bytes: Piece;
  file_bytes: Piece;
  voice: Piece;
}

export type Payload<Kind extends FrameKindName> = Kind extends WordKind
  ? Word<Kind>
  : Kind extends keyof BytePayloads
    ? BytePayloads[Kind]
    : never;

interface Codec<Value> {
  write(value: Value): Bytes;
  read(bytes: Uint8Array): Value | undefined;
}

const number: Codec<number> = { write: numberBytes, read: readNumber };
const piece: Codec<Piece> = { write: pieceBytes, read: readPiece };

const codecs: { [Kind in keyof BytePayloads]: Codec<BytePayloads[Kind]> } = {
  rekey: { write: () => new Uint8Array(0), read: () => undefined },
  ping: number,
  pong: number,
  shown: number,
  video: { write: videoBytes, read: readVideo },
  tiles: { write: tilesBytes, read: readTiles },
  cursor: { write: cursorBytes, read: readCursor },
  pointer: { write: pointerBytes, read: readPointer },
  wheel: { write: wheelBytes, read: readWheel },
  key: { write: keyBytes, read: readKey },
  terminal_bytes: piece,
  file_bytes: piece,
  voice: piece,
};

const isWord = (kind: FrameKindName): kind is WordKind => kind in words;

export function payloadBytes<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): Bytes {
  if (isWord(kind)) return wordBytes<WordKind>(kind, payload as Word<WordKind>);
  return (codecs[kind as keyof BytePayloads] as Codec<Payload<Kind>>).write(payload);
}

/** Undefined when the bytes are not of their kind's shape. */
export function readPayload<Kind extends FrameKindName>(kind: Kind, bytes: Bytes): Payload<Kind> | undefined {
  if (isWord(kind)) return readWord(kind, bytes) as Payload<Kind> | undefined;
  return (codecs[kind as keyof BytePayloads] as Codec<Payload<Kind>>).read(bytes);
}
