/** The physical disks and the drives. */
import type { Hardware } from '@drawbridge/contract/hardware';
import { readWideText } from '../api/wide-text.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { toMegabytes } from './megabytes.ts';

const maxDisks = 32;
const sharing = 7;
const openExisting = 3;
/** Requests of DeviceIoControl that need no access to the content of the disk. */
const requests = { property: 0x2d_1400, geometry: 0x7_00a0 } as const;
/** Offsets in STORAGE_DEVICE_DESCRIPTOR, of the numbers that say where its texts are. */
const descriptor = { vendor: 12, product: 16 } as const;
/** The offset of the size in DISK_GEOMETRY_EX. */
const diskSize = 24;

export function disksOf(api: WindowsApi): Hardware['HDD'] {
  return Array.from({ length: maxDisks }, (_, index) => index).flatMap((index) => {
    const handle = api.CreateFileW(`\\\\.\\PhysicalDrive${index}`, 0, sharing, null, openExisting, 0, 0);
    if (BigInt(handle) === -1n) return [];
    try {
      const geometry = control(api, handle, requests.geometry, null);
      const Size = geometry ? toMegabytes(Number(geometry.readBigUInt64LE(diskSize))) : 0;
      const described = control(api, handle, requests.property, Buffer.alloc(12));
      return [{ Model: (described && modelIn(described)) || `Disk ${index}`, Size }];
    } finally {
      api.CloseHandle(handle);
    }
  });
}

function control(api: WindowsApi, disk: Handle, request: number, input: Buffer | null): Buffer | undefined {
  const [output, length] = [Buffer.alloc(1_024), Buffer.alloc(4)];
  const size = input?.length ?? 0;
  return api.DeviceIoControl(disk, request, input, size, output, output.length, length, null)
    ? output
    : undefined;
}

function modelIn(bytes: Buffer): string {
  const textAt = (field: number): string => {
    const offset = bytes.readUInt32LE(field);
    const end = bytes.indexOf(0, offset);
    return offset === 0 || end === -1 ? '' : bytes.toString('latin1', offset, end).trim();
  };
  return [textAt(descriptor.vendor), textAt(descriptor.product)].filter((each) => each !== '').join(' ');
}

const driveTypes = { removable: 2, fixed: 3, ram: 6 } as const;

/** The letters of all drives, such as `C:`. */
export function driveLetters(api: WindowsApi): string[] {
  const mask = api.GetLogicalDrives();
  return [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    .filter((_, index) => (mask >> index) & 1)
    .map((each) => `${each}:`);
}

/** The drives of the machine itself; asking those of a network can take long. */
export function logicalDisksOf(api: WindowsApi): Hardware['LogicalDisks'] {
  const local = new Set<number>(Object.values(driveTypes));
  return driveLetters(api)
    .filter((drive) => local.has(api.GetDriveTypeW(`${drive}\\`)))
    .flatMap((drive) => diskOf(api, drive) ?? []);
}

const maxPath = 261;

/** Undefined for a drive without a disk in it. */
function diskOf(api: WindowsApi, drive: string): Hardware['LogicalDisks'][number] | undefined {
  const root = `${drive}\\`;
  const [label, fileSystem] = [Buffer.alloc(2 * maxPath), Buffer.alloc(2 * maxPath)];
  if (!api.GetVolumeInformationW(root, label, maxPath, null, null, null, fileSystem, maxPath))
    return undefined;
  const [total, free] = [Buffer.alloc(8), Buffer.alloc(8)];
  api.GetDiskFreeSpaceExW(root, free, total, null);
  return {
    Disk: drive,
    FileSystem: readWideText(fileSystem),
    FreeSpace: toMegabytes(Number(free.readBigUInt64LE())),
    Name: readWideText(label),
    Size: toMegabytes(Number(total.readBigUInt64LE())),
  };
}
