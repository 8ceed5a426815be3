/** System information as text: everything that was reported is shown with its unit, and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import { hardware as schema, type Hardware } from '@drawbridge/contract/hardware';
import { toHardwareSections } from '@drawbridge/web/panel/devices/details/hardware-sections';

const full: Hardware = {
  BIOS: 'American Megatrends',
  BIOSDate: '2021-04-01',
  BIOSVersion: 'F13',
  CPU: 'Ryzen 7',
  CPUCores: 8,
  CPUCoresLogical: 16,
  CPUFamily: 'Zen 3',
  CPUSpeed: 3_800,
  ComputerDomain: 'corp.example',
  ComputerIP: ['10.0.0.7', 'fe80::7'],
  ComputerModel: 'ThinkCentre M75',
  ComputerName: 'desk-7',
  ComputerWorkgroup: 'WG',
  HDD: [{ Model: 'Samsung 980', Size: 953_869 }],
  Locale: 'de_DE',
  LocaleCountry: 'Germany',
  LocaleCurrency: 'EUR',
  LocaleFormatDate: 'dd.MM.yyyy',
  LocaleFormatTime: 'HH:mm',
  LocaleOemPage: '850',
  LocaleTimezone: 330,
  LogicalDisks: [{ Disk: '/home', FileSystem: 'ext4', FreeSpace: 23_842, Name: 'data', Size: 238_418 }],
  Monitors: [{ Name: 'DELL U2720Q', ScreenHeight: 2_160, ScreenWidth: 3_840 }],
  NetAdapters: [
    {
      Addresses: '10.0.0.7',
      Cable: true,
      DCHP: '10.0.0.1',
      DNS: '10.0.0.2',
      MACAddress: '02:00:00:00:00:07',
      Manufacturer: 'Intel',
      Name: 'eth0',
      Speed: 2_500,
      WoL: false,
    },
  ],
  OSName: 'Debian GNU/Linux',
  OSVersion: '12',
  RAMBanks: [
    {
      Bank: 'BANK 0',
      Capacity: 16_384,
      DataWidth: 64,
      Locator: 'DIMM A1',
      Manufacturer: 'Kingston',
      PartNumber: 'KF432',
      SerialNumber: 'SN-1',
    },
  ],
  RAMPageFile: 2_048,
  RAMPhys: 32_768,
  RAMPhysAvail: 20_000,
  RAMVirt: 34_816,
  RAMVirtAvail: 30_000,
  SoundDevices: [{ Name: 'HD Audio' }],
  VideoCards: [{ Integrated: true, Name: 'Radeon Vega', RAM: 512 }],
  VideoName: 'Radeon RX',
  VideoRAM: 8_192,
};

const wordsOf = (hardware: Hardware): string =>
  toHardwareSections(hardware)
    .flatMap(({ title, facts, parts }) => [
      title,
      ...facts.flat(),
      ...parts.flatMap((part) => [part.title, ...part.facts.flat(), part.usage?.text ?? '']),
    ])
    .join('\n');

test('numbers are shown with familiar units', () => {
  const words = wordsOf(full).split('\n');

  for (const expected of [
    '3.80 GHz',
    '32 GB',
    '19.5 GB',
    '29.3 GB of 34 GB free',
    '16 GB',
    '64 bits',
    '1.0 TB',
    '25.0 GB of 250 GB free',
    '512 MB',
    '8 GB',
    '2.5 Gbit/s',
    '3840 × 2160',
    'UTC+5:30',
  ])
    assert.ok(words.includes(expected), `${expected} in ${words.join(' | ')}`);
});

/** Each text and number that a device reported, by its key. */
function taken(key: string, value: unknown): [string, unknown, (changed: unknown) => Hardware][] {
  if (!Array.isArray(value)) return [[key, value, (changed) => ({ ...full, [key]: changed })]];
  const [first] = value as [Record<string, unknown> | string];
  if (typeof first === 'string') return [[key, first, () => ({ ...full, [key]: [] })]];
  return Object.entries(first).map(([inner, each]) => [
    `${key}.${inner}`,
    each,
    (changed) => ({ ...full, [key]: [{ ...first, [inner]: changed }] }),
  ]);
}

test('all 36 keys, and every field in them, are shown', () => {
  assert.equal(Object.keys(schema.shape).length, 36);
  const before = wordsOf(full);

  for (const [name, value, withOther] of Object.entries(full).flatMap(([key, each]) => taken(key, each))) {
    const other = typeof value === 'number' ? value * 2 + 60 : typeof value === 'boolean' ? !value : 'other';
    assert.notEqual(wordsOf(withOther(other)), before, `${name} is not shown`);
  }
});

test('a device that reported nothing shows nothing, and missing values are never written out', () => {
  assert.deepEqual(toHardwareSections(emptyHardware), []);

  const sparse = wordsOf({
    ...emptyHardware,
    RAMBanks: [
      {
        Bank: '',
        Capacity: 0,
        DataWidth: 0,
        Locator: '',
        Manufacturer: '',
        PartNumber: '',
        SerialNumber: '',
      },
    ],
    LogicalDisks: [{ Disk: '', FileSystem: '', FreeSpace: 0, Name: '', Size: 0 }],
    Monitors: [{ Name: '', ScreenHeight: 0, ScreenWidth: 0 }],
  });
  assert.doesNotMatch(sparse, /undefined|NaN|null|Infinity|\b0\b/);
  assert.match(sparse, /Bank 1[^]*Disk 1[^]*Screen 1/);
});

test('a disk that is reported as more than full is shown as full', () => {
  const [disks] = toHardwareSections({
    ...emptyHardware,
    LogicalDisks: [
      { Disk: 'C:', FileSystem: '', FreeSpace: 500, Name: '', Size: 100 },
      { Disk: 'D:', FileSystem: '', FreeSpace: -5, Name: '', Size: 100 },
    ],
  });

  assert.deepEqual(
    disks!.parts.map(({ usage }) => usage?.part),
    [0, 1],
  );
});
