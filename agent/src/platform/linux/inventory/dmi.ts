/** Information from the firmware (DMI): manufacturer, BIOS and memory banks. */
import { readFile } from 'node:fs/promises';
import type { Hardware } from '@drawbridge/contract/hardware';
import { textOf } from './system-files.ts';

export type Firmware = Pick<Hardware, 'BIOS' | 'BIOSDate' | 'BIOSVersion' | 'ComputerModel' | 'RAMBanks'>;

/** Only root can read the memory banks; other users get none. `root` is the folder that contains the system's files. */
export async function firmwareOf(root = ''): Promise<Firmware> {
  const read = (name: string): Promise<string> => textOf(`${root}/sys/class/dmi/id/${name}`);
  const [BIOS, BIOSDate, BIOSVersion, vendor, product, board] = await Promise.all([
    read('bios_vendor'),
    read('bios_date'),
    read('bios_version'),
    read('sys_vendor'),
    read('product_name'),
    // Boards without DMI, such as most ARM boards, are described by a device tree.
    textOf(`${root}/proc/device-tree/model`),
  ]);
  const table = await readFile(`${root}/sys/firmware/dmi/tables/DMI`).catch(() => Buffer.alloc(0));
  const named = [vendor, product].filter(isMeaningful).join(' ');
  const ComputerModel = named || board.replaceAll('\0', '');
  return { BIOS, BIOSDate, BIOSVersion, ComputerModel, RAMBanks: banksIn(table) };
}

/** Texts that manufacturers leave in unused fields. */
const placeholders =
  /^(unknown|none|n\/a|null|undefined|not (specified|provided|available|present)|no (dimm|module installed)|default string|to be filled by o\.?e\.?m\.?|system (manufacturer|product name|version)|0x0+)$/i;
export const isMeaningful = (text: string): boolean => text.trim() !== '' && !placeholders.test(text.trim());

const memoryDevice = 17;
const endOfTable = 127;
const header = 4;

/** Reads the structures of type 17 from an SMBIOS table; empty slots are left out. */
export function banksIn(table: Buffer): Hardware['RAMBanks'] {
  const banks: Hardware['RAMBanks'] = [];
  let at = 0;
  while (at + header <= table.length) {
    const [type, length] = [table[at]!, table[at + 1]!];
    const strings = stringsAt(table, at + length);
    if (length < header || type === endOfTable || !strings) break;
    if (type === memoryDevice) {
      const bank = bankIn(table.subarray(at, at + length), strings.texts);
      if (bank.Capacity > 0) banks.push(bank);
    }
    at = strings.end;
  }
  return banks;
}

function bankIn(fields: Buffer, texts: readonly string[]): Hardware['RAMBanks'][number] {
  const word = (offset: number): number => (offset + 2 <= fields.length ? fields.readUInt16LE(offset) : 0);
  const text = (offset: number): string => {
    const found = (texts[(fields[offset] ?? 0) - 1] ?? '').trim();
    return isMeaningful(found) ? found : '';
  };
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
