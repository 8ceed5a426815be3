/** The network interfaces, as the system lists them. */
import { readWideText } from '../api/wide-text.ts';
import type { WindowsApi } from '../api/windows-api.ts';

export interface NetworkInterface {
  /** The name that people give it, which Node uses too. */
  alias: string;
  /** The name of the device. */
  description: string;
  /** In braces, as in the registry. */
  guid: string;
  /** Lower case with colons; empty if it has none. */
  mac: string;
  isHardware: boolean;
  isWired: boolean;
  isLoopback: boolean;
  /** An interface without a cable or without an address may report any speed. */
  megabits: number;
}

/** Offsets in MIB_IF_ROW2. */
const row = {
  bytes: 1_352,
  guid: 12,
  alias: 28,
  description: 542,
  macLength: 1_056,
  mac: 1_060,
  type: 1_128,
  flags: 1_152,
  speed: 1_192,
} as const;
const nameBytes = 514;
const tableHeader = 8;
const types = { ethernet: 6, loopback: 24 } as const;
const hardwareFlag = 1;
/** Filters of a driver are listed as interfaces of their own. */
const filterFlag = 2;
const success = 0;

export function listInterfaces(api: WindowsApi): NetworkInterface[] {
  const address = Buffer.alloc(8);
  if (api.GetIfTable2(address) !== success) return [];
  const at = address.readBigUInt64LE();
  const count = api.memory(at, 4).readUInt32LE();
  const table = Buffer.from(api.memory(at, tableHeader + count * row.bytes));
  api.FreeMibTable(at);
  const rows = Array.from({ length: count }, (_, index) =>
    table.subarray(tableHeader + index * row.bytes, tableHeader + (index + 1) * row.bytes),
  );
  return rows.filter((each) => (each[row.flags]! & filterFlag) === 0).map(readInterface);
}

export function readInterface(bytes: Buffer): NetworkInterface {
  const type = bytes.readUInt32LE(row.type);
  return {
    alias: readWideText(bytes.subarray(row.alias, row.alias + nameBytes)),
    description: readWideText(bytes.subarray(row.description, row.description + nameBytes)),
    guid: readGuid(bytes.subarray(row.guid, row.guid + 16)),
    mac: readMac(bytes),
    isHardware: (bytes[row.flags]! & hardwareFlag) !== 0,
    isWired: type === types.ethernet,
    isLoopback: type === types.loopback,
    megabits: readMegabits(bytes.readBigUInt64LE(row.speed)),
  };
}

function readMac(bytes: Buffer): string {
  if (bytes.readUInt32LE(row.macLength) !== 6) return '';
  const mac = [...bytes.subarray(row.mac, row.mac + 6)].map((each) => each.toString(16).padStart(2, '0'));
  return mac.every((each) => each === '00') ? '' : mac.join(':');
}

/** All bits are set if the speed is unknown. */
const readMegabits = (bits: bigint): number => (bits >> 63n ? 0 : Math.round(Number(bits) / 1_000_000));

/** The first three parts of a GUID are numbers with the lowest byte first. */
function readGuid(bytes: Buffer): string {
  const swapped = [bytes.readUInt32LE(0), bytes.readUInt16LE(4), bytes.readUInt16LE(6)].map((part, index) =>
    part.toString(16).padStart(index === 0 ? 8 : 4, '0'),
  );
  const rest = [bytes.toString('hex', 8, 10), bytes.toString('hex', 10, 16)];
  return `{${[...swapped, ...rest].join('-')}}`.toUpperCase();
}
