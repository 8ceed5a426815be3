/** Tests of the inventory with files as the kernels of other machines write them. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import type { Hardware } from '@drawbridge/contract/hardware';
import { adapterDetails } from './adapters.ts';
import { withoutPlaceholders } from '../../inventory/placeholders.ts';
import { banksIn } from '../../inventory/smbios.ts';
import { firmwareOf } from './dmi.ts';
import { connectedMonitors, readEdid } from './monitors.ts';
import { processorOf } from './processor.ts';
import { disksOf, labelsOf } from './volumes.ts';

/** A root folder with only these files. */
function someSystem(files: Record<string, string | Buffer>): { root: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'drawbridge-system-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

/** A structure of the SMBIOS table: its type, its fields by offset, and its strings. */
function structure(
  type: number,
  length: number,
  fields: Record<number, number>,
  texts: string[] = [],
): Buffer {
  const body = Buffer.alloc(length);
  body.set([type, length]);
  for (const [offset, value] of Object.entries(fields))
    if (value > 0xffff) body.writeUInt32LE(value, Number(offset));
    else if (value > 0xff) body.writeUInt16LE(value, Number(offset));
    else body[Number(offset)] = value;
  const tail = texts.length > 0 ? `${texts.join('\0')}\0\0` : '\0\0';
  return Buffer.concat([body, Buffer.from(tail, 'latin1')]);
}

const dimm = { 0x0a: 64, 0x10: 1, 0x11: 2, 0x17: 3, 0x18: 4, 0x1a: 5 };
const texts = ['DIMM_A1', 'BANK 0', 'Samsung', '12345678', 'M471A2K43EB1-CWE  '];
const table = Buffer.concat([
  structure(0, 24, {}, ['Vendor']),
  structure(17, 40, { ...dimm, 0x0c: 16_384 }, texts),
  structure(17, 40, { ...dimm, 0x0c: 0x7fff, 0x1c: 65_536 }, texts),
  structure(17, 40, { ...dimm, 0x0c: 0x8000 | 2_048, 0x0a: 0xffff }, ['Unknown', 'Not Specified']),
  structure(17, 40, { ...dimm, 0x0c: 0 }, ['empty slot']),
  structure(17, 40, { ...dimm, 0x0c: 0xffff }, ['nobody knows']),
  structure(127, 4, {}),
  structure(17, 40, { ...dimm, 0x0c: 1 }, ['after the end']),
]);

test('memory banks are listed in MB, without empty slots and placeholder texts', () => {
  const full = {
    Bank: 'BANK 0',
    DataWidth: 64,
    Locator: 'DIMM_A1',
    Manufacturer: 'Samsung',
    PartNumber: 'M471A2K43EB1-CWE',
    SerialNumber: '12345678',
  };
  const bare = { Bank: '', DataWidth: 0, Locator: '', Manufacturer: '', PartNumber: '', SerialNumber: '' };

  assert.deepEqual(banksIn(table), [
    { ...full, Capacity: 16_384 },
    { ...full, Capacity: 65_536 },
    { ...bare, Capacity: 2 },
  ]);
});

test('a truncated or invalid firmware table yields only what it contains', () => {
  for (let length = 0; length < table.length; length++)
    assert.ok(banksIn(table.subarray(0, length)).length <= 3, String(length));
  assert.deepEqual(banksIn(Buffer.alloc(4_096)), []);
  assert.deepEqual(banksIn(Buffer.alloc(4_096, 17)), []);
});

test('BIOS and model come from the firmware, or from the device tree', async () => {
  const dmi = '/sys/class/dmi/id';
  using laptop = someSystem({
    [`${dmi}/bios_vendor`]: 'LENOVO\n',
    [`${dmi}/bios_date`]: '03/04/2025\n',
    [`${dmi}/bios_version`]: 'N2IET99W (1.77 )\n',
    [`${dmi}/sys_vendor`]: 'LENOVO\n',
    [`${dmi}/product_name`]: 'To Be Filled By O.E.M.\n',
    '/sys/firmware/dmi/tables/DMI': table,
  });
  using board = someSystem({ '/proc/device-tree/model': 'Raspberry Pi 5 Model B Rev 1.0\0' });

  const { RAMBanks, ...reported } = await firmwareOf(laptop.root);
  assert.deepEqual(reported, {
    BIOS: 'LENOVO',
    BIOSDate: '03/04/2025',
    BIOSVersion: 'N2IET99W (1.77 )',
    ComputerModel: 'LENOVO',
  });
  assert.equal(RAMBanks.length, 3);
  assert.equal((await firmwareOf(board.root)).ComputerModel, 'Raspberry Pi 5 Model B Rev 1.0');
});

test('the processor speed is the base frequency, otherwise the current one, otherwise 0', async () => {
  const cpuinfo = 'processor\t: 0\ncpu family\t: 6\nmodel name\t: A Processor\ncpu MHz\t\t: 799.981\n';
  using steady = someSystem({
    '/proc/cpuinfo': cpuinfo,
    '/sys/devices/system/cpu/cpu0/cpufreq/base_frequency': '2400000\n',
    '/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq': '4800000\n',
  });
  using virtual = someSystem({ '/proc/cpuinfo': cpuinfo });
  using silent = someSystem({ '/proc/cpuinfo': 'processor : 0\n' });

  assert.deepEqual(await processorOf(steady.root), { CPU: 'A Processor', CPUFamily: '6', CPUSpeed: 2_400 });
  assert.equal((await processorOf(virtual.root)).CPUSpeed, 800);
  assert.deepEqual(await processorOf(silent.root), { CPU: '', CPUFamily: '', CPUSpeed: 0 });
});

test('an adapter has the speed that the kernel reports, at least 0, and Wake-on-LAN if it is enabled', async () => {
  using system = someSystem({
    '/sys/class/net/lan7/speed': '1000\n',
    '/sys/class/net/lan7/address': '02:AB:00:00:00:01\n',
    '/sys/class/net/lan7/device/power/wakeup': 'enabled\n',
    '/sys/class/net/lan8/speed': '-1\n',
    '/sys/class/net/lan8/device/power/wakeup': 'disabled\n',
    '/etc/resolv.conf':
      '# made by hand\nnameserver 192.0.2.53\nsearch example.com\nnameserver 2001:db8::53\n',
  });
  const DNS = '192.0.2.53, 2001:db8::53';

  assert.deepEqual(await adapterDetails('lan7', system.root), {
    Addresses: '',
    DNS,
    MACAddress: '02:ab:00:00:00:01',
    Speed: 1_000,
    WoL: true,
  });
  const { Speed, WoL } = await adapterDetails('lan8', system.root);
  assert.deepEqual([Speed, WoL], [0, false]);
  assert.deepEqual((await adapterDetails('lan9', system.root)).Speed, 0);
});

/** The EDID of a monitor with this name and size. */
function edidOf(name: string, width: number, height: number): Buffer {
  const edid = Buffer.alloc(128);
  edid.set([0, 255, 255, 255, 255, 255, 255, 0]);
  edid.set([1, 1, width & 255, 0, (width >> 8) << 4, height & 255, 0, (height >> 8) << 4], 54);
  edid.set([0, 0, 0, 0xfc, 0], 72);
  edid.write(`${name}\n`.padEnd(13), 77, 'latin1');
  return edid;
}

test('connected monitors have the name and size of their EDID; empty connectors are left out', async () => {
  const drm = '/sys/class/drm';
  using system = someSystem({
    [`${drm}/version`]: 'drm 1.1.0',
    [`${drm}/card0-HDMI-A-1/status`]: 'connected\n',
    [`${drm}/card0-HDMI-A-1/edid`]: edidOf('DELL U2720Q', 3_840, 2_160),
    [`${drm}/card0-DP-1/status`]: 'disconnected\n',
    [`${drm}/card1-eDP-1/status`]: 'connected\n',
    [`${drm}/card1-eDP-1/modes`]: '1920x1080\n1280x720\n',
  });

  assert.deepEqual(await connectedMonitors(system.root), [
    { connector: 'HDMI-A-1', name: 'DELL U2720Q', width: 3_840, height: 2_160 },
    { connector: 'eDP-1', name: '', width: 1_920, height: 1_080 },
  ]);
  for (const nonsense of [Buffer.alloc(0), Buffer.alloc(128), Buffer.alloc(128, 255)])
    assert.deepEqual(readEdid(nonsense), { name: '', width: 0, height: 0 });
});

test('disks are devices with a size, and volumes have their labels', async () => {
  using system = someSystem({
    '/sys/block/nvme0n1/size': '1000215216\n',
    '/sys/block/nvme0n1/device/model': 'Samsung SSD 980\n',
    '/sys/block/vda/size': '4096\n',
    '/sys/block/vda/device/uevent': '',
    '/sys/block/loop0/size': '4096\n',
    '/sys/block/sr0/size': '4096\n',
    '/sys/block/sr0/device/model': 'DVD\n',
    '/sys/block/sdb/size': '0\n',
    '/sys/block/sdb/device/model': 'Card reader\n',
    '/dev/disk/by-label/.keep': '',
  });
  symlinkSync('../../sda1', join(system.root, '/dev/disk/by-label/My\\x20Data\\xc3\\xa9'));

  assert.deepEqual(await disksOf(system.root), [
    { Model: 'Samsung SSD 980', Size: 488_386 },
    { Model: 'vda', Size: 2 },
  ]);
  assert.equal((await labelsOf(system.root)).get('/dev/sda1'), 'My Dataé');
});

test('placeholders for unknown values do not leave the device', () => {
  const reported = {
    ...emptyHardware,
    BIOS: 'Unknown',
    CPU: ' unknown ',
    CPUCores: Number.NaN,
    CPUSpeed: -1,
    LocaleTimezone: -480,
    ComputerModel: 'Default string',
    OSName: 'Unknown Linux',
    HDD: [{ Model: 'None', Size: Number.POSITIVE_INFINITY }],
  } satisfies Hardware;

  assert.deepEqual(withoutPlaceholders(reported), {
    ...emptyHardware,
    LocaleTimezone: -480,
    OSName: 'Unknown Linux',
    HDD: [{ Model: '', Size: 0 }],
  });
});
