/** Writes small MMDB files with chosen networks and values, also ones that no other writer would make. */
import { bytesOfAddress } from '@drawbridge/server/domain/networks';

/** Encoded values by their network, for example `10.0.0.0/8`. A later network replaces a part of an earlier one. */
export type MmdbNetworks = Record<string, Buffer>;

interface MmdbForm {
  recordBits: 24 | 28 | 32;
  ipVersion: 4 | 6;
  /** What the data section has before the values of the networks. */
  before?: Buffer;
}

/** A record of a node: another node, the offset of a value, or nothing. */
type TreeRecord = TreeNode | number | undefined;
type TreeNode = [TreeRecord, TreeRecord];

export function writeMmdb(
  networks: MmdbNetworks,
  { recordBits, ipVersion, before = Buffer.alloc(0) }: MmdbForm,
): Buffer {
  const root: TreeNode = [undefined, undefined];
  let offset = before.length;
  for (const [network, value] of Object.entries(networks)) {
    insert(root, bitsOf(network, ipVersion), offset);
    offset += value.length;
  }
  const nodes = nodesBelow(root);
  const metadata = {
    node_count: encodeInteger(6, 4, BigInt(nodes.length)),
    record_size: encodeInteger(5, 2, BigInt(recordBits)),
    ip_version: encodeInteger(5, 2, BigInt(ipVersion)),
    binary_format_major_version: encodeInteger(5, 2, 2n),
    build_epoch: encodeInteger(9, 8, 1_700_000_000n),
  };
  return Buffer.concat([
    ...nodes.map((node) => writeNode(node, nodes, recordBits)),
    Buffer.alloc(16),
    before,
    ...Object.values(networks),
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encode(metadata),
  ]);
}

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address = '', length = ''] = network.split('/');
  const bytes = bytesOfAddress(address);
  const isBelow = ipVersion === 6 && bytes.length === 4;
  const whole = [...(isBelow ? Array.from({ length: 12 }, () => 0) : []), ...bytes];
  const bits = whole.flatMap((byte) => Array.from(byte.toString(2).padStart(8, '0'), Number));
  return bits.slice(0, Number(length) + (isBelow ? 96 : 0));
}

function insert(node: TreeNode, [bit = 0, ...rest]: number[], offset: number): void {
  if (rest.length === 0) return void (node[bit] = offset);
  const next = node[bit];
  if (Array.isArray(next)) return insert(next, rest, offset);
  const made: TreeNode = [next, next];
  node[bit] = made;
  insert(made, rest, offset);
}

const nodesBelow = (node: TreeNode): TreeNode[] => [
  node,
  ...node.flatMap((record) => (Array.isArray(record) ? nodesBelow(record) : [])),
];

function writeNode(node: TreeNode, nodes: readonly TreeNode[], recordBits: number): Buffer {
  const [left, right] = node.map((record) => {
    if (Array.isArray(record)) return nodes.indexOf(record);
    return record === undefined ? nodes.length : nodes.length + 16 + record;
  }) as [number, number];
  if (recordBits !== 28) return Buffer.concat([left, right].map((each) => uint(each, recordBits / 8)));
  const middle = ((left >> 24) << 4) | (right >> 24);
  return Buffer.concat([uint(left & 0xffffff, 3), uint(middle, 1), uint(right & 0xffffff, 3)]);
}

function uint(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

/** The bytes before a value: its type and its size. */
export function valueHeader(type: number, size: number): Buffer {
  const [bits, more] =
    size < 29
      ? [size, Buffer.alloc(0)]
      : size < 285
        ? [29, uint(size - 29, 1)]
        : size < 65_821
          ? [30, uint(size - 285, 2)]
          : [31, uint(size - 65_821, 3)];
  return Buffer.concat([type < 8 ? uint((type << 5) | bits, 1) : Buffer.from([bits, type - 7]), more]);
}

/** An integer of this type: 5 and 6 are unsigned with 16 and 32 bits, 8 is signed, 9 and 10 have 64 and 128 bits. */
export const encodeInteger = (type: number, length: number, value: bigint): Buffer =>
  Buffer.concat([
    valueHeader(type, length),
    Buffer.from(
      value
        .toString(16)
        .padStart(length * 2, '0')
        .slice(0, length * 2),
      'hex',
    ),
  ]);

/** A pointer to an offset of the data section, with 1 to 4 bytes. */
export function encodeDataPointer(offset: number, length: 1 | 2 | 3 | 4): Buffer {
  const value = offset - [0, 2_048, 526_336, 0][length - 1]!;
  const high = length === 4 ? 0 : Math.floor(value / 2 ** (length * 8));
  return Buffer.concat([uint(0x20 | ((length - 1) << 3) | high, 1), uint(value % 2 ** (length * 8), length)]);
}

/** Encodes a value; one that is a buffer has been encoded already. */
export function encode(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'string')
    return Buffer.concat([valueHeader(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'boolean') return valueHeader(14, value ? 1 : 0);
  if (typeof value === 'number') return Buffer.concat([valueHeader(3, 8), double(value)]);
  if (Array.isArray(value)) return Buffer.concat([valueHeader(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([valueHeader(7, entries.length), ...entries.flatMap((pair) => pair.map(encode))]);
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}
