/** Decodes the values of an MMDB file: https://maxmind.github.io/MaxMind-DB/. */
import type { ByteSource } from './paged-file.ts';

/** Far more than any entry has; a damaged file can refer to itself or repeat a value without end. */
const maxValues = 2_000;
const maxBytes = 131_072;

interface Decoder {
  source: ByteSource;
  /** Where the data section starts, to which pointers are relative. */
  base: number;
  /** Where the next value starts. */
  at: number;
  valuesLeft: number;
  bytesLeft: number;
}

/** Throws if the value is malformed, too large or not all inside the source. */
export const decodeValue = (source: ByteSource, base: number, at: number): unknown =>
  decodeNext({ source, base, at, valuesLeft: maxValues, bytesLeft: maxBytes });

const types = {
  extended: 0,
  pointer: 1,
  text: 2,
  double: 3,
  bytes: 4,
  uint16: 5,
  uint32: 6,
  map: 7,
  int32: 8,
  uint64: 9,
  uint128: 10,
  array: 11,
  boolean: 14,
  float: 15,
} as const;

function decodeNext(decoder: Decoder): unknown {
  if (--decoder.valuesLeft < 0) throw new Error('A value of the database has too many parts.');
  const control = nextNumber(decoder, 1);
  const type = control >> 5;
  if (type === types.pointer) return decodePointer(decoder, control);
  const actual = type === types.extended ? decodeExtendedType(decoder) : type;
  return decodeTyped(decoder, actual, decodeSize(decoder, control & 31));
}

function decodeExtendedType(decoder: Decoder): number {
  const type = nextNumber(decoder, 1) + 7;
  if (type === types.map) throw new Error('The database has a value without a type.');
  return type;
}

/** A size over 28 continues in one, two or three bytes. */
function decodeSize(decoder: Decoder, size: number): number {
  if (size < 29) return size;
  const [bytes, least] = (
    [
      [1, 29],
      [2, 285],
      [3, 65_821],
    ] as const
  )[size - 29]!;
  return least + nextNumber(decoder, bytes);
}

function decodePointer(decoder: Decoder, control: number): unknown {
  const size = (control >> 3) & 3;
  const high = size === 3 ? 0 : (control & 7) * 2 ** (8 * (size + 1));
  const target = [0, 2_048, 526_336, 0][size]! + high + nextNumber(decoder, size + 1);
  const after = decoder.at;
  decoder.at = decoder.base + target;
  const value = decodeNext(decoder);
  decoder.at = after;
  return value;
}

function decodeTyped(decoder: Decoder, type: number, size: number): unknown {
  switch (type) {
    case types.text:
      return nextBytes(decoder, size).toString('utf8');
    case types.map:
      return decodeMap(decoder, size);
    case types.array:
      return decodeArray(decoder, size);
    case types.uint16:
    case types.uint32:
      return nextNumber(decoder, size);
    case types.int32:
      return size === 4 ? nextNumber(decoder, size) | 0 : nextNumber(decoder, size);
    case types.uint64:
    case types.uint128:
      return BigInt(`0x0${nextBytes(decoder, size).toString('hex')}`);
    case types.boolean:
      return size !== 0;
    case types.double:
      return nextBytes(decoder, 8).readDoubleBE();
    case types.float:
      return nextBytes(decoder, 4).readFloatBE();
    case types.bytes:
      return Buffer.from(nextBytes(decoder, size));
    default:
      throw new Error(`The database has a value of the unknown type ${type}.`);
  }
}

function decodeMap(decoder: Decoder, size: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  while (entries.length < size) entries.push([String(decodeNext(decoder)), decodeNext(decoder)]);
  return Object.fromEntries(entries);
}

function decodeArray(decoder: Decoder, size: number): unknown[] {
  const items: unknown[] = [];
  while (items.length < size) items.push(decodeNext(decoder));
  return items;
}

function nextBytes(decoder: Decoder, length: number): Buffer {
  decoder.bytesLeft -= length;
  if (decoder.bytesLeft < 0) throw new Error('A value of the database has too many bytes.');
  const bytes = decoder.source.read(decoder.at, length);
  decoder.at += length;
  return bytes;
}

/** An unsigned number of at most four bytes. */
function nextNumber(decoder: Decoder, length: number): number {
  if (length > 4) throw new Error(`A number of the database has ${length} bytes.`);
  return length === 0 ? 0 : nextBytes(decoder, length).readUIntBE(0, length);
}
