/** The system information of a Windows machine, in the units of the contract. */
import { hostname, release } from 'node:os';
import type { Hardware } from '@drawbridge/contract/hardware';
import { addressesOf } from '../../inventory/addresses.ts';
import { withoutPlaceholders } from '../../inventory/placeholders.ts';
import { openRegistry, type Registry, type RegistryKey } from '../api/registry.ts';
import { readWideText } from '../api/wide-text.ts';
import { loadWindowsApi, type WindowsApi } from '../api/windows-api.ts';
import { adaptersOf } from './adapters.ts';
import { disksOf, logicalDisksOf } from './disks.ts';
import { firmwareOf } from './firmware.ts';
import { localeOf } from './locale.ts';
import { toMegabytes } from './megabytes.ts';
import { membershipOf } from './membership.ts';
import { processorOf } from './processor.ts';
import { monitorsOf, videoCardsOf } from './video.ts';

export async function readHardware(): Promise<Hardware> {
  const api = await loadWindowsApi();
  const registry = openRegistry(api);
  const { serial: _serial, ...firmware } = firmwareOf(api);
  const cards = videoCardsOf(api);
  return withoutPlaceholders({
    ...firmware,
    ...processorOf(api),
    ...membershipOf(api),
    ComputerIP: addressesOf(),
    ComputerName: hostname(),
    HDD: disksOf(api),
    ...localeOf(api),
    LogicalDisks: logicalDisksOf(api),
    Monitors: monitorsOf(api),
    NetAdapters: adaptersOf(api),
    ...systemOf(registry),
    ...memoryOf(api),
    SoundDevices: soundDevicesOf(api),
    VideoCards: cards,
    VideoName: cards[0]?.Name ?? '',
    VideoRAM: cards[0]?.RAM ?? 0,
  });
}

const currentVersion: RegistryKey = {
  root: 'machine',
  path: 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion',
};
const firstBuildOf11 = 22_000;

/** Windows 11 still calls itself Windows 10 in the registry. */
function systemOf(registry: Registry): Pick<Hardware, 'OSName' | 'OSVersion'> {
  const name = registry.text(currentVersion, 'ProductName');
  const isEleven = Number(registry.text(currentVersion, 'CurrentBuild')) >= firstBuildOf11;
  const shown = registry.text(currentVersion, 'DisplayVersion');
  return {
    OSName: isEleven ? name.replace('Windows 10', 'Windows 11') : name,
    OSVersion: [shown, release()].filter((each) => each !== '').join(' '),
  };
}

type Memory = Pick<Hardware, 'RAMPageFile' | 'RAMPhys' | 'RAMPhysAvail' | 'RAMVirt' | 'RAMVirtAvail'>;

/** Offsets in MEMORYSTATUSEX. */
const memory = { bytes: 64, phys: 8, physAvail: 16, virt: 24, virtAvail: 32 } as const;

/** What Windows calls the page file is physical memory and page file together. */
function memoryOf(api: WindowsApi): Memory {
  const status = Buffer.alloc(memory.bytes);
  status.writeUInt32LE(memory.bytes);
  api.GlobalMemoryStatusEx(status);
  const read = (offset: number): number => toMegabytes(Number(status.readBigUInt64LE(offset)));
  return {
    RAMPageFile: read(memory.virt) - read(memory.phys),
    RAMPhys: read(memory.phys),
    RAMPhysAvail: read(memory.physAvail),
    RAMVirt: read(memory.virt),
    RAMVirtAvail: read(memory.virtAvail),
  };
}

/** Size of WAVEOUTCAPSW, and the offset of the name in it. */
const soundDevice = { bytes: 84, name: 8, nameBytes: 64 } as const;

function soundDevicesOf(api: WindowsApi): Hardware['SoundDevices'] {
  return Array.from({ length: api.waveOutGetNumDevs() }, (_, index) => {
    const bytes = Buffer.alloc(soundDevice.bytes);
    api.waveOutGetDevCapsW(index, bytes, bytes.length);
    return {
      Name: readWideText(bytes.subarray(soundDevice.name, soundDevice.name + soundDevice.nameBytes)),
    };
  });
}
