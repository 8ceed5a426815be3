/** The system information of a device: all 36 keys in alphabetical order, spelled exactly as in the reference. */
import * as z from 'zod';

const text = z.string();
const number = z.number();

export const hardware = z.object({
  BIOS: text,
  BIOSDate: text,
  BIOSVersion: text,
  CPU: text,
  CPUCores: number,
  CPUCoresLogical: number,
  CPUFamily: text,
  CPUSpeed: number.describe('MHz'),
  ComputerDomain: text,
  ComputerIP: z.array(text),
  ComputerModel: text,
  ComputerName: text,
  ComputerWorkgroup: text,
  HDD: z.array(z.object({ Model: text, Size: number.describe('MB') })),
  Locale: text,
  LocaleCountry: text,
  LocaleCurrency: text,
  LocaleFormatDate: text,
  LocaleFormatTime: text,
  LocaleOemPage: text,
  LocaleTimezone: number.describe('Minutes east of UTC'),
  LogicalDisks: z.array(
    z.object({
      Disk: text.describe('Drive or mount point'),
      FileSystem: text,
      FreeSpace: number.describe('MB'),
      Name: text.describe('Volume label'),
      Size: number.describe('MB'),
    }),
  ),
  Monitors: z.array(z.object({ Name: text, ScreenHeight: number, ScreenWidth: number })),
  NetAdapters: z.array(
    z.object({
      Addresses: text,
      Cable: z.boolean().describe('Internet over a LAN cable'),
      DCHP: text,
      DNS: text,
      MACAddress: text,
      Manufacturer: text,
      Name: text,
      Speed: number.describe('Mbit/s'),
      WoL: z.boolean().describe('Wake-on-LAN enabled'),
    }),
  ),
  OSName: text,
  OSVersion: text,
  RAMBanks: z.array(
    z.object({
      Bank: text,
      Capacity: number.describe('MB'),
      DataWidth: number.describe('Bits'),
      Locator: text,
      Manufacturer: text,
      PartNumber: text,
      SerialNumber: text,
    }),
  ),
  RAMPageFile: number.describe('MB'),
  RAMPhys: number.describe('MB'),
  RAMPhysAvail: number.describe('MB'),
  RAMVirt: number.describe('MB'),
  RAMVirtAvail: number.describe('MB'),
  SoundDevices: z.array(z.object({ Name: text })),
  VideoCards: z.array(z.object({ Integrated: z.boolean(), Name: text, RAM: number.describe('MB') })),
  VideoName: text,
  VideoRAM: number.describe('MB'),
});

export type Hardware = z.output<typeof hardware>;
