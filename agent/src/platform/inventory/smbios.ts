/** Reads the SMBIOS table, in which the firmware describes the machine: manufacturer, processor and memory banks. */
import type { Hardware } from '@drawbridge/contract/hardware';
import { isMeaningful } from './placeholders.ts';

export interface SmbiosStructure {
  type: number;
  /** The fixed fields, header included. */
  fields: Buffer;
  texts: readonly string[];
}

export const structureTypes = { bios: 0, system: 1, memoryDevice: 17 } as const;

const endOfTable = 127;
const header = 4;

/** Reads the structures of an SMBIOS table. */
export function structuresIn(table: Buffer): SmbiosStructure[] {
  const found: SmbiosStructure[] = [];
  let at = 0;
  while (at + header <= table.length) {
    const [type, length] = [table[at]!, table[at + 1]!];
    const strings = stringsAt(table, at + length);
    if (length < header || type === endOfTable || !strings) break;
    found.push({ type, fields: table.subarray(at, at + length), texts: strings.texts });
    at = strings.end;
  }
  return found;
}

/** The text whose number is in this field; empty if there is none. */
export function smbiosText({ fields, texts }: SmbiosStructure, offset: number): string {
  const found = (texts[(fields[offset] ?? 0) - 1] ?? '').trim();
  return isMeaningful(found) ? found : '';
}

/** Returns the memory devices; empty slots are left out. */
export const banksIn = (table: Buffer): Hardware['RAMBanks'] =>
  structuresIn(table)
    .filter(({ type }) => type === structureTypes.memoryDevice)
    .map(bankIn)
    .filter(({ Capacity }) => Capacity > 0);

function bankIn(device: SmbiosStructure): Hardware['RAMBanks'][number] {
  const { fields } = device;
  const word = (offset: number): number => (offset + 2 <= fields.length ? fields.readUInt16LE(offset) : 0);
  const text = (offset: number): string => smbiosText(device, offset);
  return {
    Bank: text(0x11),
    Capacity: capacityOf(fields, word(0x0c)),
    DataWidth: word(0x0a) === unknownWord ? 0 : word(0x0a),
    Locator: text(0x10),
    Manufacturer: text(0x17),
    PartNumber: text(0x1a),
    SerialNumber: text(0x18),
  };
}

const unknownWord = 0xffff;
const inExtension = 0x7fff;

/** Returns megabytes. The field holds kilobytes if the highest bit is set; sizes too large for it are in the extended field. */
function capacityOf(fields: Buffer, size: number): number {
  if (size === unknownWord) return 0;
  if (size === inExtension) return fields.length >= 0x20 ? fields.readUInt32LE(0x1c) & 0x7fff_ffff : 0;
  return size & 0x8000 ? Math.floor((size & 0x7fff) / 1_024) : size;
}

/** Reads the NUL-terminated strings after a structure, which end with another NUL; undefined if the table is truncated. */
function stringsAt(table: Buffer, from: number): { texts: string[]; end: number } | undefined {
  const end = table.indexOf('\0\0', from, 'latin1');
  if (end === -1) return undefined;
  const texts = end === from ? [] : table.toString('latin1', from, end).split('\0');
  return { texts, end: end + 2 };
}
