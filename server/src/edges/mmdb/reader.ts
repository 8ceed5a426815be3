/** Looks addresses up in an MMDB file, which is read by pages and not held in memory. */
import { isIP } from 'node:net';
import { bytesOfAddress } from '../../domain/networks.ts';
import { decodeValue } from './decode-value.ts';
import type { ByteSource } from './paged-file.ts';

interface FoundEntry {
  /** Undefined if the database does not know the address. */
  entry: unknown;
  /** The length of the prefix of the network to which this applies. */
  bits: number;
}

export interface MmdbReader {
  /** Throws if the text is not an address, or if the file is damaged where the address is looked up. */
  find(address: string): FoundEntry;
}

interface SearchTree {
  source: ByteSource;
  nodeCount: number;
  nodeBytes: number;
  /** Where the tree ends and the separator before the data begins. */
  end: number;
}

const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
/** The metadata is in the last 128 KiB. */
const metadataBytes = 131_072;
const separatorBytes = 16;
/** A database of both versions has the IPv4 addresses below ::/96. */
const ipv4Prefix = Array.from({ length: 12 }, () => 0);

/** Throws if the source is not an MMDB file. */
export function openMmdb(source: ByteSource): MmdbReader {
  const { nodeCount, recordBits, ipVersion, start: dataEnd } = readMetadata(source);
  const nodeBytes = recordBits / 4;
  const tree: SearchTree = { source, nodeCount, nodeBytes, end: nodeCount * nodeBytes };
  if (tree.end + separatorBytes > dataEnd) throw new Error('The location database is incomplete.');
  const ipv4Start = ipVersion === 4 ? { record: 0, depth: 0 } : walk(tree, 0, ipv4Prefix);
  return {
    find(address) {
      const version = isIP(address);
      if (version === 0) throw new Error('This is not an address.');
      if (version > ipVersion) return { entry: undefined, bits: 0 };
      const start = version === 4 ? ipv4Start.record : 0;
      const { record, depth } = walk(tree, start, bytesOfAddress(address));
      return { entry: record > nodeCount ? entryAt(tree, record) : undefined, bits: depth };
    },
  };
}

/** Follows the bits of an address until a record is not a node: it then means an entry, or that there is none. */
function walk(
  tree: SearchTree,
  start: number,
  address: readonly number[],
): { record: number; depth: number } {
  let [record, depth] = [start, 0];
  for (; depth < address.length * 8 && record < tree.nodeCount; depth += 1) {
    const bit = (address[depth >> 3]! >> (7 - (depth & 7))) & 1;
    record = recordOf(tree, record, bit);
  }
  return { record, depth };
}

/** A node has two records of 24, 28 or 32 bits. With 28, both take their highest bits from the byte in the middle. */
function recordOf({ source, nodeBytes }: SearchTree, node: number, bit: number): number {
  const bytes = source.read(node * nodeBytes, nodeBytes);
  if (nodeBytes !== 7) return bytes.readUIntBE(bit * (nodeBytes / 2), nodeBytes / 2);
  const middle = bytes[3]!;
  return bit === 0
    ? (middle >> 4) * 2 ** 24 + bytes.readUIntBE(0, 3)
    : (middle & 15) * 2 ** 24 + bytes.readUIntBE(4, 3);
}

const entryAt = ({ source, nodeCount, end }: SearchTree, record: number): unknown =>
  decodeValue(source, end + separatorBytes, record - nodeCount + end);

interface Metadata {
  nodeCount: number;
  recordBits: number;
  ipVersion: number;
  /** Where the metadata starts and the data ends. */
  start: number;
}

function readMetadata(source: ByteSource): Metadata {
  const length = Math.min(source.size, metadataBytes);
  const tail = source.read(source.size - length, length);
  const found = tail.lastIndexOf(marker);
  if (found === -1) throw new Error('The location database is not an MMDB file.');
  const start = source.size - length + found;
  const content = start + marker.length;
  const metadata = decodeValue(source, content, content) as Record<string, unknown>;
  const { node_count: nodeCount, record_size: recordBits, ip_version: ipVersion } = metadata;
  if (
    typeof nodeCount !== 'number' ||
    ![24, 28, 32].includes(recordBits as number) ||
    ![4, 6].includes(ipVersion as number)
  )
    throw new Error('The location database has a format that is not supported.');
  return { nodeCount, recordBits: recordBits as number, ipVersion: ipVersion as number, start };
}
