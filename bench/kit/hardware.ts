/** The hardware of seeded devices, about as large as what real ones report. */
import type { Hardware } from '@drawbridge/contract/hardware';

/** What all devices have in common. */
const sharedHardware = {
  BIOS: 'American Megatrends International, LLC.',
  BIOSDate: '2024-11-05',
  BIOSVersion: 'M1VKT5FA',
  CPU: '13th Gen Intel(R) Core(TM) i7-13700',
  CPUCores: 16,
  CPUCoresLogical: 24,
  CPUFamily: 'Intel64 Family 6 Model 183 Stepping 1',
  CPUSpeed: 2_100,
  ComputerDomain: 'office.example.com',
  ComputerModel: 'ThinkCentre M70t Gen 4 (12DR)',
  ComputerWorkgroup: '',
  HDD: [
    { Model: 'SAMSUNG MZVL21T0HCLR-00BL7', Size: 976_762 },
    { Model: 'ST2000DM008-2UB102', Size: 1_907_729 },
  ],
  Locale: 'sv-SE',
  LocaleCountry: 'Sverige',
  LocaleCurrency: 'SEK',
  LocaleFormatDate: 'yyyy-MM-dd',
  LocaleFormatTime: 'HH:mm:ss',
  LocaleOemPage: '850',
  LocaleTimezone: 60,
  Monitors: [1, 2].map((at) => ({ Name: `DELL U2723QE (${at})`, ScreenHeight: 2_160, ScreenWidth: 3_840 })),
  OSName: 'Microsoft Windows 11 Pro',
  OSVersion: '10.0.26100',
  RAMPageFile: 9_728,
  RAMPhys: 65_269,
  RAMPhysAvail: 41_120,
  RAMVirt: 74_997,
  RAMVirtAvail: 48_310,
  SoundDevices: ['Realtek(R) Audio', 'Intel(R) Display Audio', 'NVIDIA High Definition Audio'].map(
    (Name) => ({
      Name,
    }),
  ),
  VideoCards: [
    { Integrated: true, Name: 'Intel(R) UHD Graphics 770', RAM: 2_048 },
    { Integrated: false, Name: 'NVIDIA T1000 8GB', RAM: 8_192 },
  ],
  VideoName: 'NVIDIA T1000 8GB',
  VideoRAM: 8_192,
} satisfies Partial<Hardware>;

const disksOf = (index: number): Hardware['LogicalDisks'] =>
  ['C:', 'D:', 'E:'].map((Disk, at) => ({
    Disk,
    FileSystem: 'NTFS',
    FreeSpace: 214_000 + index,
    Name: ['System', 'Data', 'Archive'][at]!,
    Size: 976_144,
  }));

const adaptersOf = (index: number, address: string): Hardware['NetAdapters'] =>
  ['Intel(R) Ethernet Connection (17) I219-LM', 'Intel(R) Wi-Fi 6E AX211 160MHz', 'TAP-V9'].map(
    (Name, at) => ({
      Addresses: at === 0 ? `${address}, fe80::a00:27ff:fe4e:66a1` : '',
      Cable: at === 0,
      DCHP: '10.0.0.1',
      DNS: '10.0.0.1, 10.0.0.2',
      MACAddress: `08:00:27:${((index >> 8) & 255).toString(16).padStart(2, '0')}:4e:0${at}`,
      Manufacturer: 'Intel Corporation',
      Name,
      Speed: 1_000,
      WoL: at === 0,
    }),
  );

const memoryOf = (index: number): Hardware['RAMBanks'] =>
  [0, 1, 2, 3].map((at) => ({
    Bank: `BANK ${at}`,
    Capacity: 16_384,
    DataWidth: 64,
    Locator: `Controller${at >> 1}-ChannelA-DIMM${at & 1}`,
    Manufacturer: 'Samsung',
    PartNumber: 'M323R2GA3BB0-CQKOL',
    SerialNumber: `9C7F${(1_000_000 + index * 4 + at).toString(16)}`,
  }));

export const hardwareOf = (index: number, address: string): Hardware => ({
  ...sharedHardware,
  ComputerIP: [address, `fe80::a00:27ff:fe4e:${(index % 65_536).toString(16)}`],
  ComputerName: `WS-${String(index).padStart(6, '0')}`,
  LogicalDisks: disksOf(index),
  NetAdapters: adaptersOf(index, address),
  RAMBanks: memoryOf(index),
});
