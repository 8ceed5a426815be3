/** The system information of a Linux machine, in the units of the contract. */
import { hostname } from 'node:os';
import type { Hardware } from '@drawbridge/contract/hardware';
import si from 'systeminformation';
import { adapterDetails } from './adapters.ts';
import { addressesOf } from '../../inventory/addresses.ts';
import { isMeaningful, withoutPlaceholders } from '../../inventory/placeholders.ts';
import { firmwareOf } from './dmi.ts';
import { localeOf } from './locale.ts';
import { monitorsOf } from './monitors.ts';
import { processorOf } from './processor.ts';
import { disksOf, labelsOf } from './volumes.ts';

const megabyte = 1_048_576;
const toMegabytes = (bytes: number | null | undefined): number => Math.round((bytes ?? 0) / megabyte);
const text = (value: string | null | undefined): string => value ?? '';

export async function readHardware(): Promise<Hardware> {
  const [cpu, system, os, memory] = await Promise.all([si.cpu(), si.system(), si.osInfo(), si.mem()]);
  const [firmware, processor, cards, sounds] = await Promise.all([
    firmwareOf(),
    processorOf(),
    videoCards(),
    si.audio(),
  ]);
  return withoutPlaceholders({
    BIOS: firmware.BIOS,
    BIOSDate: firmware.BIOSDate,
    BIOSVersion: firmware.BIOSVersion,
    CPU: processor.CPU || [cpu.manufacturer, cpu.brand].filter(Boolean).join(' '),
    CPUCores: cpu.physicalCores,
    CPUCoresLogical: cpu.cores,
    CPUFamily: processor.CPUFamily || text(cpu.family),
    CPUSpeed: processor.CPUSpeed || Math.round(cpu.speed * 1_000),
    ComputerDomain: os.fqdn.includes('.') ? os.fqdn.slice(os.fqdn.indexOf('.') + 1) : '',
    ComputerIP: addressesOf(),
    ComputerModel:
      firmware.ComputerModel || [system.manufacturer, system.model].filter(isMeaningful).join(' '),
    ComputerName: hostname(),
    ComputerWorkgroup: '',
    HDD: await disksOf(),
    ...localeOf(),
    LogicalDisks: await logicalDisks(),
    Monitors: await monitorsOf(),
    NetAdapters: await netAdapters(),
    OSName: text(os.distro),
    OSVersion: [os.release, os.kernel].filter(Boolean).join(' '),
    RAMBanks: firmware.RAMBanks,
    ...memorySizes(memory),
    SoundDevices: sounds.map((sound) => ({ Name: text(sound.name) })),
    VideoCards: cards,
    VideoName: cards[0]?.Name ?? '',
    VideoRAM: cards[0]?.RAM ?? 0,
  });
}

const memorySizes = ({ swaptotal, swapfree, total, available }: si.Systeminformation.MemData) => ({
  RAMPageFile: toMegabytes(swaptotal),
  RAMPhys: toMegabytes(total),
  RAMPhysAvail: toMegabytes(available),
  RAMVirt: toMegabytes(total + swaptotal),
  RAMVirtAvail: toMegabytes(available + swapfree),
});

async function videoCards(): Promise<Hardware['VideoCards']> {
  const { controllers } = await si.graphics();
  return controllers.map((card) => ({
    Integrated: !card.vramDynamic && card.bus === 'Onboard',
    Name: [card.vendor, card.model].filter(Boolean).join(' '),
    RAM: card.vram ?? 0,
  }));
}

async function logicalDisks(): Promise<Hardware['LogicalDisks']> {
  const [volumes, labels] = await Promise.all([si.fsSize(), labelsOf()]);
  return volumes.map((volume) => ({
    Disk: volume.mount,
    FileSystem: volume.type,
    FreeSpace: toMegabytes(volume.available),
    Name: labels.get(volume.fs) ?? '',
    Size: toMegabytes(volume.size),
  }));
}

async function netAdapters(): Promise<Hardware['NetAdapters']> {
  const adapters = [await si.networkInterfaces()].flat().filter((adapter) => !adapter.internal);
  return Promise.all(
    adapters.map(async ({ iface, type, dhcp }) => {
      const { Addresses, DNS, MACAddress, Speed, WoL } = await adapterDetails(iface);
      const Cable = type === 'wired';
      const DCHP = dhcp ? 'yes' : '';
      return { Addresses, Cable, DCHP, DNS, MACAddress, Manufacturer: '', Name: iface, Speed, WoL };
    }),
  );
}
