/**
 * Formats system information: sections of names and values with units. Values that the agent did not report are left
 * out.
 */
import type { Hardware } from '@drawbridge/contract/hardware';
import { readableBytes } from '../../../ui/readable.ts';
import { hardwareTexts as texts } from '../../texts/devices-hardware.ts';

type Fact = readonly [name: string, value: string];

/** One of several similar components: a disk, a memory module, an adapter. */
export interface HardwarePart {
  title: string;
  facts: readonly Fact[];
  /** How full it is: the share from 0 to 1, and the text. */
  usage?: { part: number; text: string };
}

export interface HardwareSection {
  title: string;
  facts: readonly Fact[];
  parts: readonly HardwarePart[];
}

const mebibyte = 1_048_576;
/** Disk sizes use powers of ten. */
const diskSize = (mb: number): string => (mb > 0 ? readableBytes(mb * mebibyte) : '');
/** Memory sizes use powers of two. */
const memorySize = (mb: number): string =>
  mb <= 0 ? '' : mb < 1_024 ? `${mb} MB` : `${trimmed(mb / 1_024)} GB`;
const trimmed = (value: number): string => String(Math.round(value * 10) / 10);
const speed = (mhz: number): string =>
  mhz <= 0 ? '' : mhz < 1_000 ? `${mhz} MHz` : `${(mhz / 1_000).toFixed(2)} GHz`;
const bandwidth = (mbit: number): string =>
  mbit <= 0 ? '' : mbit < 1_000 ? `${mbit} Mbit/s` : `${trimmed(mbit / 1_000)} Gbit/s`;
const number = (value: number): string => (value > 0 ? String(value) : '');
const yesOrNo = (value: boolean): string => (value ? texts.yes : texts.no);
const freeOf = (free: number, all: number): string =>
  free > 0 && all > 0 ? texts.freeOf(memorySize(free), memorySize(all)) : memorySize(all);

/** Formats minutes east of UTC, for example as UTC+5:30. */
function timezone(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const sign = minutes < 0 ? '−' : '+';
  return minutes === 0 ? 'UTC' : `UTC${sign}${hours}${rest > 0 ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

/** Drops values that the agent did not report. */
const withoutEmpty = (...facts: Fact[]): Fact[] => facts.filter(([, value]) => value.trim() !== '');
const first = (...names: string[]): string => names.find((name) => name.trim() !== '') ?? '';

export function toHardwareSections(hardware: Hardware): HardwareSection[] {
  return [
    system(hardware),
    processor(hardware),
    memory(hardware),
    disks(hardware),
    graphics(hardware),
    network(hardware),
    board(hardware),
    locale(hardware),
  ].filter(({ facts, parts }) => facts.length > 0 || parts.length > 0);
}

const section = (title: string, facts: Fact[], parts: HardwarePart[] = []): HardwareSection => ({
  title,
  facts,
  parts,
});

const system = (of: Hardware): HardwareSection =>
  section(
    texts.system,
    withoutEmpty(
      [texts.computerName, of.ComputerName],
      [texts.os, of.OSName],
      [texts.osVersion, of.OSVersion],
      [texts.domain, of.ComputerDomain],
      [texts.workgroup, of.ComputerWorkgroup],
      [texts.addresses, of.ComputerIP.join(', ')],
    ),
  );

const processor = (of: Hardware): HardwareSection =>
  section(
    texts.processor,
    withoutEmpty(
      [texts.model, of.CPU],
      [texts.family, of.CPUFamily],
      [texts.cores, number(of.CPUCores)],
      [texts.threads, number(of.CPUCoresLogical)],
      [texts.clock, speed(of.CPUSpeed)],
    ),
  );

const memory = (of: Hardware): HardwareSection =>
  section(
    texts.memory,
    withoutEmpty(
      [texts.size, memorySize(of.RAMPhys)],
      [texts.free, memorySize(of.RAMPhysAvail)],
      [texts.virtual, freeOf(of.RAMVirtAvail, of.RAMVirt)],
      [texts.pageFile, memorySize(of.RAMPageFile)],
    ),
    of.RAMBanks.map((bank, index) => ({
      title: first(bank.Locator, bank.Bank, texts.bank(index + 1)),
      facts: withoutEmpty(
        [texts.size, memorySize(bank.Capacity)],
        [texts.bankName, bank.Locator === '' ? '' : bank.Bank],
        [texts.manufacturer, bank.Manufacturer],
        [texts.partNumber, bank.PartNumber],
        [texts.serial, bank.SerialNumber],
        [texts.width, bank.DataWidth > 0 ? texts.bits(bank.DataWidth) : ''],
      ),
    })),
  );

const disks = (of: Hardware): HardwareSection =>
  section(
    texts.disks,
    [],
    [
      ...of.LogicalDisks.map((disk, index) => ({
        title: first(disk.Disk, disk.Name, texts.disk(index + 1)),
        facts: withoutEmpty(
          [texts.label, disk.Disk === '' ? '' : disk.Name],
          [texts.fileSystem, disk.FileSystem],
          [texts.size, diskSize(disk.Size)],
        ),
        ...(disk.Size > 0 && { usage: usageOf(disk) }),
      })),
      ...of.HDD.map((drive, index) => ({
        title: first(drive.Model, texts.drive(index + 1)),
        facts: withoutEmpty([texts.size, diskSize(drive.Size)]),
      })),
    ],
  );

const usageOf = ({ FreeSpace, Size }: Hardware['LogicalDisks'][number]): { part: number; text: string } => ({
  part: Math.min(1, Math.max(0, 1 - FreeSpace / Size)),
  text: texts.freeOf(readableBytes(Math.max(0, FreeSpace) * mebibyte), diskSize(Size)),
});

function graphics(of: Hardware): HardwareSection {
  const isListed = of.VideoCards.some(({ Name }) => Name === of.VideoName);
  return section(
    texts.graphics,
    withoutEmpty(
      [texts.card, isListed ? '' : of.VideoName],
      [texts.videoMemory, memorySize(of.VideoRAM)],
      [texts.sound, of.SoundDevices.map(({ Name }) => Name).join(', ')],
    ),
    [
      ...of.VideoCards.map((card, index) => ({
        title: first(card.Name, texts.cardNumber(index + 1)),
        facts: withoutEmpty(
          [texts.memory, memorySize(card.RAM)],
          [texts.kind, card.Integrated ? texts.integrated : texts.separate],
        ),
      })),
      ...of.Monitors.map((monitor, index) => ({
        title: first(monitor.Name, texts.screen(index + 1)),
        facts: withoutEmpty([texts.resolution, pixels(monitor)]),
      })),
    ],
  );
}

const pixels = ({ ScreenWidth, ScreenHeight }: Hardware['Monitors'][number]): string =>
  ScreenWidth > 0 && ScreenHeight > 0 ? `${ScreenWidth} × ${ScreenHeight}` : '';

const network = (of: Hardware): HardwareSection =>
  section(
    texts.network,
    [],
    of.NetAdapters.map((adapter, index) => ({
      title: first(adapter.Name, adapter.MACAddress, texts.adapter(index + 1)),
      facts: withoutEmpty(
        [texts.addresses, adapter.Addresses],
        [texts.mac, adapter.MACAddress],
        [texts.speed, bandwidth(adapter.Speed)],
        [texts.manufacturer, adapter.Manufacturer],
        [texts.dhcp, adapter.DCHP],
        [texts.dns, adapter.DNS],
        [texts.cable, yesOrNo(adapter.Cable)],
        [texts.wakeOnLan, yesOrNo(adapter.WoL)],
      ),
    })),
  );

const board = (of: Hardware): HardwareSection =>
  section(
    texts.board,
    withoutEmpty(
      [texts.computerModel, of.ComputerModel],
      [texts.bios, of.BIOS],
      [texts.biosVersion, of.BIOSVersion],
      [texts.biosDate, of.BIOSDate],
    ),
  );

/** A time zone of 0 may mean that none was reported, so it is shown only together with other values. */
function locale(of: Hardware): HardwareSection {
  const reported = withoutEmpty(
    [texts.language, of.Locale],
    [texts.country, of.LocaleCountry],
    [texts.currency, of.LocaleCurrency],
    [texts.date, of.LocaleFormatDate],
    [texts.time, of.LocaleFormatTime],
    [texts.codePage, of.LocaleOemPage],
  );
  const isReported = reported.length > 0 || of.LocaleTimezone !== 0;
  return section(texts.locale, [
    ...reported,
    ...(isReported ? withoutEmpty([texts.timezone, timezone(of.LocaleTimezone)]) : []),
  ]);
}
