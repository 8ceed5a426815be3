/** What the firmware says about the machine: manufacturer, serial number, BIOS and memory banks. */
import type { Hardware } from '@drawbridge/contract/hardware';
import { banksIn, structuresIn, structureTypes, smbiosText } from '../../inventory/smbios.ts';
import type { WindowsApi } from '../api/windows-api.ts';

export type Firmware = Pick<Hardware, 'BIOS' | 'BIOSDate' | 'BIOSVersion' | 'ComputerModel' | 'RAMBanks'> & {
  serial: string;
};

/** 'RSMB': the raw table of the system management BIOS. */
const rawTables = 0x5253_4d42;
/** Windows puts the version and the length of the table before it. */
const headerBytes = 8;

export function firmwareOf(api: WindowsApi): Firmware {
  const bytes = Buffer.alloc(api.GetSystemFirmwareTable(rawTables, 0, null, 0));
  api.GetSystemFirmwareTable(rawTables, 0, bytes, bytes.length);
  return readFirmware(bytes.subarray(headerBytes));
}

export function readFirmware(table: Buffer): Firmware {
  const structures = structuresIn(table);
  const text = (type: number, offset: number): string => {
    const structure = structures.find((each) => each.type === type);
    return structure ? smbiosText(structure, offset) : '';
  };
  const { bios, system } = structureTypes;
  return {
    BIOS: text(bios, 0x04),
    BIOSDate: text(bios, 0x08),
    BIOSVersion: text(bios, 0x05),
    ComputerModel: [text(system, 0x04), text(system, 0x05)].filter((each) => each !== '').join(' '),
    RAMBanks: banksIn(table),
    serial: text(system, 0x07),
  };
}
