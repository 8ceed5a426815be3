/** The hardware of the machines of a fictional firm, and the software installed on one of them. */
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import type { Hardware } from '@drawbridge/contract/hardware';
import type { Software } from '@drawbridge/contract/uplink/facts';
import type { FirmDevice } from './devices.ts';

const systems: Record<FirmDevice['os'], [name: string, version: string]> = {
  linux: ['Linux Mint 22.2', '6.14.0-37-generic'],
  win: ['Microsoft Windows 11 Pro', '10.0.26100'],
  mac: ['macOS 15.6', '24.6.0'],
  android: ['Android 14', '14'],
};

export const macOf = (number: number): string => `02:5a:10:00:00:${number.toString(16).padStart(2, '0')}`;
export const ipAddressOf = (number: number): string => `192.168.20.${10 + number}`;

/** What all machines have in common. */
const sharedHardware: Hardware = {
  ...emptyHardware,
  BIOS: 'LENOVO',
  BIOSDate: '2025-03-18',
  BIOSVersion: 'M4TKT43A',
  CPU: 'Intel(R) Core(TM) i5-12400T',
  CPUCores: 6,
  CPUCoresLogical: 12,
  CPUFamily: 'Intel64 Family 6 Model 151 Stepping 5',
  CPUSpeed: 1_800,
  ComputerModel: 'ThinkCentre M70q Gen 3',
  HDD: [{ Model: 'Samsung SSD 980 500GB', Size: 476_940 }],
  Locale: 'en_GB',
  LocaleCountry: 'United Kingdom',
  LocaleCurrency: 'GBP',
  LocaleTimezone: 60,
  LogicalDisks: [
    { Disk: '/', FileSystem: 'ext4', FreeSpace: 61_204, Name: 'system', Size: 118_000 },
    { Disk: '/home', FileSystem: 'ext4', FreeSpace: 287_450, Name: 'home', Size: 346_000 },
    { Disk: '/boot/efi', FileSystem: 'vfat', FreeSpace: 498, Name: 'EFI', Size: 511 },
  ],
  Monitors: [
    { Name: 'DELL U2422H', ScreenHeight: 1_080, ScreenWidth: 1_920 },
    { Name: 'DELL U2422H', ScreenHeight: 1_080, ScreenWidth: 1_920 },
  ],
  RAMBanks: ['A', 'B'].map((bank) => ({
    Bank: `BANK ${bank}`,
    Capacity: 8_192,
    DataWidth: 64,
    Locator: `DIMM ${bank}`,
    Manufacturer: 'Kingston',
    PartNumber: 'KVR32S22S8/8',
    SerialNumber: `5E1A09${bank}4`,
  })),
  RAMPageFile: 2_048,
  RAMPhys: 15_842,
  RAMPhysAvail: 9_316,
  RAMVirt: 17_890,
  RAMVirtAvail: 11_364,
  SoundDevices: [{ Name: 'Alder Lake-S HD Audio Controller' }],
  VideoCards: [{ Integrated: true, Name: 'Intel UHD Graphics 730', RAM: 1_024 }],
  VideoName: 'Intel UHD Graphics 730',
  VideoRAM: 1_024,
};

const networkAdapter = (number: number): Hardware['NetAdapters'][number] => ({
  Addresses: ipAddressOf(number),
  Cable: true,
  DCHP: '192.168.20.1',
  DNS: '192.168.20.1',
  MACAddress: macOf(number),
  Manufacturer: 'Intel',
  Name: 'enp0s31f6',
  Speed: 1_000,
  WoL: true,
});

export const firmHardware = ({ name, os, group }: FirmDevice, number: number): Hardware => ({
  ...sharedHardware,
  ComputerIP: [ipAddressOf(number)],
  ComputerName: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
  ComputerWorkgroup: group.toUpperCase(),
  NetAdapters: [networkAdapter(number)],
  OSName: systems[os][0],
  OSVersion: systems[os][1],
});

const programs = `firefox|146.0|Mozilla|2027-02-16
thunderbird|140.7.0|Mozilla|2027-02-16
libreoffice-calc|25.8.4|The Document Foundation|2026-12-03
libreoffice-writer|25.8.4|The Document Foundation|2026-12-03
cups|2.4.12|OpenPrinting|2026-11-20
hplip|3.25.8|HP|2026-11-20
simple-scan|48.1|GNOME|2026-11-20
guest-register|5.2.1|Innkeeper|2027-01-11
card-terminal|2.18.0|Tillworks|2027-01-11
keepassxc|2.7.11|KeePassXC team|2026-11-21
openssh-server|9.9p2|OpenBSD|2027-02-02
systemd|257.9|systemd|2027-02-02
bash|5.2.37|GNU|2026-11-20
evince|48.1|GNOME|2026-11-20
gimp|3.0.6|GIMP|2026-11-22
vlc|3.0.22|VideoLAN|2026-11-22
unattended-upgrades|2.12|Debian|2026-11-20
curl|8.14.1|curl|2027-02-02
git|2.47.3|git|2026-11-20
python3|3.13.5|Python|2026-11-20`;

export const firmSoftware: Software = programs.split('\n').map((line) => {
  const [name, version, publisher, date] = line.split('|') as [string, string, string, string];
  return { name, version, publisher, install_date: date };
});
