/** The system information of a Linux machine, in the units of the contract. */
import { hostname } from 'node:os';
import type { Hardware } from '@drawbridge/contract/hardware';
import si from 'systeminformation';
import { addressesOf } from './facts.ts';
import { localeOf } from './locale.ts';

const megabyte = 1_048_576;
const toMegabytes = (bytes: number | null | undefined): number => Math.round((bytes ?? 0) / megabyte);
const text = (value: string | null | undefined): string => value ?? '';
const number = (value: number | null | undefined): number => (Number.isFinite(value) ? value! : 0);

export async function hardwareOf(): Promise<Hardware> {
  const [bios, cpu, system, os, memory] = await Promise.all([
    si.bios(),
    si.cpu(),
    si.system(),
    si.osInfo(),
    si.mem(),
  ]);
  const [disks, volumes, graphics, adapters, banks, sounds] = await Promise.all([
    si.diskLayout(),
    si.fsSize(),
    si.graphics(),
    si.networkInterfaces(),
    si.memLayout(),
    si.audio(),
  ]);
  const cards = graphics.controllers.map((card) => ({
    Integrated: !card.vramDynamic && card.bus === 'Onboard',
    Name: [card.vendor, card.model].filter(Boolean).join(' '),
    RAM: number(card.vram),
  }));
  const own = [adapters].flat().filter((adapter) => !adapter.internal);
  return {
    BIOS: text(bios.vendor),
    BIOSDate: text(bios.releaseDate),
    BIOSVersion: text(bios.version),
    CPU: [cpu.manufacturer, cpu.brand].filter(Boolean).join(' '),
    CPUCores: number(cpu.physicalCores),
    CPUCoresLogical: number(cpu.cores),
    CPUFamily: text(cpu.family),
    CPUSpeed: Math.round(number(cpu.speed) * 1_000),
    ComputerDomain: os.fqdn.includes('.') ? os.fqdn.slice(os.fqdn.indexOf('.') + 1) : '',
    ComputerIP: addressesOf(),
    ComputerModel: [system.manufacturer, system.model].filter(Boolean).join(' '),
    ComputerName: hostname(),
    ComputerWorkgroup: '',
    HDD: disks.map((disk) => ({ Model: text(disk.name), Size: toMegabytes(disk.size) })),
    ...localeOf(),
    LogicalDisks: volumes.map((volume) => ({
      Disk: volume.mount,
      FileSystem: volume.type,
      FreeSpace: toMegabytes(volume.available),
      Name: '',
      Size: toMegabytes(volume.size),
    })),
    Monitors: graphics.displays.map((display) => ({
      Name: text(display.model || display.connection),
      ScreenHeight: number(display.currentResY ?? display.resolutionY),
      ScreenWidth: number(display.currentResX ?? display.resolutionX),
    })),
    NetAdapters: own.map((adapter) => ({
      Addresses: [adapter.ip4, adapter.ip6].filter(Boolean).join(', '),
      Cable: adapter.type === 'wired',
      DCHP: adapter.dhcp ? 'yes' : '',
      DNS: text(adapter.dnsSuffix),
      MACAddress: text(adapter.mac).toLowerCase(),
      Manufacturer: '',
      Name: adapter.iface,
      Speed: number(adapter.speed),
      WoL: false,
    })),
    OSName: text(os.distro),
    OSVersion: [os.release, os.kernel].filter(Boolean).join(' '),
    RAMBanks: banks.map((bank) => ({
      Bank: text(bank.bank),
      Capacity: toMegabytes(bank.size),
      DataWidth: 0,
      Locator: text(bank.bank),
      Manufacturer: text(bank.manufacturer),
      PartNumber: text(bank.partNum),
      SerialNumber: text(bank.serialNum),
    })),
    RAMPageFile: toMegabytes(memory.swaptotal),
    RAMPhys: toMegabytes(memory.total),
    RAMPhysAvail: toMegabytes(memory.available),
    RAMVirt: toMegabytes(memory.total + memory.swaptotal),
    RAMVirtAvail: toMegabytes(memory.available + memory.swapfree),
    SoundDevices: sounds.map((sound) => ({ Name: text(sound.name) })),
    VideoCards: cards,
    VideoName: cards[0]?.Name ?? '',
    VideoRAM: cards[0]?.RAM ?? 0,
  };
}
