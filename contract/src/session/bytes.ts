/** The frames that are bytes: pictures, acknowledgements, pointer and keys, terminal, files and voice. Numbers are big-endian. */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Content that moved: the box is where it was, `toX` and `toY` where its corner is now. */
export interface Copy extends Box {
  toX: number;
  toY: number;
}

/** A box of the picture with its exact or nearly exact content. */
export interface Tile {
  x: number;
  y: number;
  image: Uint8Array;
}

/** An encoded picture; only what lies in the boxes is to be drawn. */
export interface Video {
  number: number;
  key: boolean;
  boxes: readonly Box[];
  data: Uint8Array;
}

export interface Tiles {
  number: number;
  /** Drawn first, in this order. */
  copies: readonly Copy[];
  /** The bytes tell PNG from JPEG. */
  tiles: readonly Tile[];
}

export interface Cursor {
  /** Where the device's pointer is; the operator's own is not drawn over by it. */
  x: number;
  y: number;
  /** Absent: the picture did not change. An empty image hides the pointer. */
  shape?: { width: number; height: number; hotX: number; hotY: number; png: Uint8Array };
}

export interface Pointer {
  x: number;
  y: number;
  /** Bit 0 left, 1 middle, 2 right, 3 back, 4 forward: those that are down now. */
  buttons: number;
}

export interface Wheel {
  x: number;
  y: number;
  /** In steps of a notch times 120, down and right positive. */
  deltaX: number;
  deltaY: number;
}

export interface Key {
  down: boolean;
  /** Where the key is, as KeyboardEvent.code says it. */
  code: string;
  /** What it stands for under the operator's layout, as KeyboardEvent.key says it. */
  key: string;
}

/** A piece of a terminal's stream, of a file or of a call; `at` is its place in the stream, where that matters. */
export interface Piece {
  id: number;
  at: number;
  data: Uint8Array;
}

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

const boxBytes = 8;
const copyBytes = 12;
const tileBytes = 8;

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function putAll(view: DataView, at: number, values: readonly number[]): number {
  values.forEach((value, index) => view.setUint16(at + 2 * index, value));
  return at + 2 * values.length;
}

const getAll = (view: DataView, at: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => view.getUint16(at + 2 * index));

/** A reader of bytes from outside answers undefined for what is cut off or makes no sense. */
function careful<Value>(read: (view: DataView, bytes: Uint8Array) => Value | undefined) {
  return (bytes: Uint8Array): Value | undefined => {
    try {
      return read(viewOf(bytes), bytes);
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
}

export function videoBytes({ number, key, boxes, data }: Video): Bytes {
  const bytes = new Uint8Array(7 + boxes.length * boxBytes + data.length);
  const view = viewOf(bytes);
  view.setUint32(0, number);
  view.setUint8(4, key ? 1 : 0);
  view.setUint16(5, boxes.length);
  let at = 7;
  for (const { x, y, width, height } of boxes) at = putAll(view, at, [x, y, width, height]);
  bytes.set(data, at);
  return bytes;
}

export const readVideo = careful((view, bytes): Video => {
  const count = view.getUint16(5);
  const boxes = Array.from({ length: count }, (_, index): Box => {
    const [x, y, width, height] = getAll(view, 7 + index * boxBytes, 4) as [number, number, number, number];
    return { x, y, width, height };
  });
  return {
    number: view.getUint32(0),
    key: view.getUint8(4) === 1,
    boxes,
    data: bytes.subarray(7 + count * boxBytes),
  };
});

export function tilesBytes({ number, copies, tiles }: Tiles): Bytes {
  const images = tiles.reduce((sum, { image }) => sum + tileBytes + image.length, 0);
  const bytes = new Uint8Array(8 + copies.length * copyBytes + images);
  const view = viewOf(bytes);
  view.setUint32(0, number);
  let at = putAll(view, 4, [copies.length, tiles.length]);
  for (const { x, y, width, height, toX, toY } of copies)
    at = putAll(view, at, [x, y, width, height, toX, toY]);
  for (const { x, y, image } of tiles) {
    at = putAll(view, at, [x, y]);
    view.setUint32(at, image.length);
    bytes.set(image, at + 4);
    at += 4 + image.length;
  }
  return bytes;
}

export const readTiles = careful((view, bytes): Tiles | undefined => {
  const [copyCount, tileCount] = getAll(view, 4, 2) as [number, number];
  let at = 8;
  const copies: Copy[] = [];
  for (let index = 0; index < copyCount; index += 1, at += copyBytes) {
    const [x, y, width, height, toX, toY] = getAll(view, at, 6) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    copies.push({ x, y, width, height, toX, toY });
  }
  const tiles: Tile[] = [];
  for (let index = 0; index < tileCount; index += 1) {
    const length = view.getUint32(at + 4);
    const image = bytes.subarray(at + tileBytes, at + tileBytes + length);
    if (image.length !== length) return undefined;
    tiles.push({ x: view.getUint16(at), y: view.getUint16(at + 2), image });
    at += tileBytes + length;
  }
  return { number: view.getUint32(0), copies, tiles };
});

export function cursorBytes({ x, y, shape }: Cursor): Bytes {
  const bytes = new Uint8Array(shape ? 12 + shape.png.length : 4);
  const view = viewOf(bytes);
  const at = putAll(view, 0, [x, y]);
  if (!shape) return bytes;
  putAll(view, at, [shape.width, shape.height, shape.hotX, shape.hotY]);
  bytes.set(shape.png, 12);
  return bytes;
}

export const readCursor = careful((view, bytes): Cursor => {
  const [x, y] = getAll(view, 0, 2) as [number, number];
  if (bytes.length === 4) return { x, y };
  const [width, height, hotX, hotY] = getAll(view, 4, 4) as [number, number, number, number];
  return { x, y, shape: { width, height, hotX, hotY, png: bytes.subarray(12) } };
});

export function numberBytes(number: number): Bytes {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, number);
  return bytes;
}

/** Of `shown`, `ping` and `pong`. */
export const readNumber = careful((view) => view.getUint32(0));

export function pointerBytes({ x, y, buttons }: Pointer): Bytes {
  const bytes = new Uint8Array(5);
  putAll(viewOf(bytes), 0, [x, y]);
  bytes[4] = buttons;
  return bytes;
}

export const readPointer = careful((view): Pointer => ({
  x: view.getUint16(0),
  y: view.getUint16(2),
  buttons: view.getUint8(4) & 0x1f,
}));

export function wheelBytes({ x, y, deltaX, deltaY }: Wheel): Bytes {
  const bytes = new Uint8Array(8);
  const view = viewOf(bytes);
  putAll(view, 0, [x, y]);
  view.setInt16(4, deltaX);
  view.setInt16(6, deltaY);
  return bytes;
}

export const readWheel = careful((view): Wheel => ({
  x: view.getUint16(0),
  y: view.getUint16(2),
  deltaX: view.getInt16(4),
  deltaY: view.getInt16(6),
}));

const longestKeyName = 32;

export function keyBytes({ down, code, key }: Key): Bytes {
  const name = encoder.encode(code);
  const value = encoder.encode(key);
  const bytes = new Uint8Array(2 + name.length + value.length);
  bytes.set([down ? 1 : 0, name.length]);
  bytes.set(name, 2);
  bytes.set(value, 2 + name.length);
  return bytes;
}

export const readKey = careful((view, bytes): Key | undefined => {
  const length = view.getUint8(1);
  const rest = bytes.length - 2 - length;
  if (rest < 0 || length > longestKeyName || rest > longestKeyName) return undefined;
  return {
    down: view.getUint8(0) === 1,
    code: decoder.decode(bytes.subarray(2, 2 + length)),
    key: decoder.decode(bytes.subarray(2 + length)),
  };
});

const pieceHeader = 12;
/** Of a file or a terminal; larger ones are sent in several. */
export const largestPiece = 256 * 1_024;

export function pieceBytes({ id, at, data }: Piece): Bytes {
  const bytes = new Uint8Array(pieceHeader + data.length);
  const view = viewOf(bytes);
  view.setUint32(0, id);
  view.setBigUint64(4, BigInt(at));
  bytes.set(data, pieceHeader);
  return bytes;
}

export const readPiece = careful((view, bytes): Piece | undefined => {
  const at = view.getBigUint64(4);
  if (at > BigInt(Number.MAX_SAFE_INTEGER) || bytes.length - pieceHeader > largestPiece) return undefined;
  return { id: view.getUint32(0), at: Number(at), data: bytes.subarray(pieceHeader) };
});
