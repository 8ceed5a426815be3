/** The system information of this machine, compared with what its own programs and files report. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { before, describe, test } from 'node:test';
import { readHardware } from '@drawbridge/agent/platform/linux/inventory/hardware';
import { reportedHardware } from '@drawbridge/contract/uplink/facts';
import type { Hardware } from '@drawbridge/contract/hardware';
import { findXvfb, skipWithout } from '../kit/requirements.ts';
import { eventually } from '../kit/eventually.ts';
import { boundToParent } from '../kit/process.ts';

const skip = process.platform !== 'linux' && 'only for Linux';
const say = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
const fileOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
};

describe('the system information of this machine', { skip }, () => {
  let hardware: Hardware;
  before(async () => {
    hardware = await readHardware();
  });

  test('processor and memory are those of the kernel', () => {
    const cpuinfo = fileOf('/proc/cpuinfo');
    const kilobytes = (name: string): number =>
      Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(fileOf('/proc/meminfo'))![1]);

    assert.equal(hardware.CPU, /^model name\s*: (.*)$/m.exec(cpuinfo)?.[1] ?? hardware.CPU);
    assert.equal(hardware.CPUFamily, /^cpu family\s*: (.*)$/m.exec(cpuinfo)?.[1] ?? hardware.CPUFamily);
    assert.equal(hardware.CPUCoresLogical, cpuinfo.match(/^processor\s*:/gm)!.length);
    const megahertz = Number(/^cpu MHz\s*: (.*)$/m.exec(cpuinfo)?.[1] ?? 0);
    assert.ok(megahertz === 0 || hardware.CPUSpeed > 0, `${hardware.CPUSpeed} MHz`);
    assert.equal(hardware.RAMPhys, Math.round(kilobytes('MemTotal') / 1_024));
    assert.equal(hardware.RAMPageFile, Math.round(kilobytes('SwapTotal') / 1_024));
    assert.ok(hardware.RAMPhysAvail > 0 && hardware.RAMPhysAvail <= hardware.RAMPhys);
  });

  test('adapters have the addresses, speed and state that the kernel reports, and its name servers', () => {
    const servers = [...fileOf('/etc/resolv.conf').matchAll(/^nameserver\s+(\S+)/gm)].map(
      ([, each]) => each!,
    );
    assert.ok(hardware.NetAdapters.length > 0);
    for (const { Name, Addresses, MACAddress, Speed, WoL, DNS } of hardware.NetAdapters) {
      const folder = `/sys/class/net/${Name}`;
      const own = (networkInterfaces()[Name] ?? []).map(({ address }) => address);

      assert.deepEqual(Addresses.split(', ').filter(Boolean).toSorted(), own.toSorted(), Name);
      assert.equal(MACAddress, fileOf(`${folder}/address`));
      assert.equal(Speed, Math.max(0, Number(fileOf(`${folder}/speed`)) || 0));
      assert.equal(WoL, fileOf(`${folder}/device/power/wakeup`) === 'enabled');
      assert.ok(DNS !== '' || servers.length === 0);
    }
    assert.deepEqual(
      new Set(hardware.ComputerIP),
      new Set(
        Object.values(networkInterfaces()).flatMap((all) =>
          all!.filter((each) => !each.internal).map(({ address }) => address),
        ),
      ),
    );
  });

  test('volumes and disks are as large as the system reports', () => {
    const [, size] = say('df', '--output=size', '-BM', '/').split('\n');
    const root = hardware.LogicalDisks.find(({ Disk }) => Disk === '/')!;
    assert.ok(Math.abs(root.Size - Number.parseInt(size!)) <= 1, `${root.Size} ${size}`);
    assert.ok(root.FreeSpace > 0 && root.FreeSpace <= root.Size && root.FileSystem !== '');
    for (const { Model, Size } of hardware.HDD) assert.ok(Model !== '' && Size > 0);
  });

  test('firmware and names are what the system reports, or empty', () => {
    assert.equal(hardware.BIOS, fileOf('/sys/class/dmi/id/bios_vendor'));
    assert.equal(hardware.BIOSVersion, fileOf('/sys/class/dmi/id/bios_version'));
    assert.equal(hardware.BIOSDate, fileOf('/sys/class/dmi/id/bios_date'));
    assert.equal(hardware.ComputerName, hostname());
    assert.ok(hardware.OSVersion.endsWith(say('uname', '-r').trim()));
    const banks = hardware.RAMBanks.reduce((sum, { Capacity }) => sum + Capacity, 0);
    assert.ok(banks === 0 || banks >= hardware.RAMPhys, 'the banks hold what the kernel counts');
  });

  test('it matches the contract, and contains no placeholder for something unknown', () => {
    assert.deepEqual(reportedHardware.parse(hardware), hardware);
    const text = JSON.stringify(hardware);
    assert.doesNotMatch(text, /"(unknown|undefined|null|NaN|n\/a)"|:null|:-\d/i);
  });

  test('the monitor of a display is reported with its size', { skip: skipWithout('Xvfb') }, async () => {
    const display = `:${100 + (process.pid % 400)}`;
    const screen = spawn(
      ...boundToParent(findXvfb()!, [display, '-screen', '0', '1234x567x24', '-nolisten', 'tcp']),
      {
        stdio: 'ignore',
      },
    );
    const usual = process.env['DISPLAY'];
    process.env['DISPLAY'] = display;
    try {
      const { Monitors } = await eventually(
        readHardware,
        ({ Monitors: found }) => found[0]?.ScreenWidth === 1_234,
      );

      assert.deepEqual(
        Monitors.map(({ ScreenWidth, ScreenHeight }) => [ScreenWidth, ScreenHeight]),
        [[1_234, 567]],
      );
      assert.notEqual(Monitors[0]!.Name, '');
    } finally {
      if (usual === undefined) delete process.env['DISPLAY'];
      else process.env['DISPLAY'] = usual;
      screen.kill('SIGKILL');
    }
  });
});
