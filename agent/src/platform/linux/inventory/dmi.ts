/** Information from the firmware (DMI): manufacturer, BIOS and memory banks. */
import { readFile } from 'node:fs/promises';
import type { Hardware } from '@drawbridge/contract/hardware';
import { isMeaningful } from '../../inventory/placeholders.ts';
import { banksIn } from '../../inventory/smbios.ts';
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
