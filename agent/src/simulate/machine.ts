/** Simulated machines: each number always yields the same facts and hardware. */
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import type { Hardware } from '@drawbridge/contract/hardware';
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';

const systems = ['Debian GNU/Linux', 'Ubuntu', 'Fedora Linux', 'openSUSE'];
const users = ['ann', 'ben', 'chris', 'dana', 'eli', 'fay'];
const hex = (number: number): string => number.toString(16).padStart(2, '0');
const macOf = (number: number): string =>
  `02:5a:${[number >> 24, number >> 16, number >> 8, number].map((part) => hex(part & 255)).join(':')}`;
const addressOf = (number: number): string =>
  `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;

export interface SimulatedMachine {
  facts: Facts;
  fingerprint: Fingerprint;
  hardware: Hardware;
}

export function simulateMachine(number: number): SimulatedMachine {
  const name = `sim-${String(number).padStart(6, '0')}`;
  const [mac, address] = [macOf(number), addressOf(number)];
  return {
    facts: {
      name,
      os: 'linux',
      os_user: users[number % users.length]!,
      version: '0.1.0',
      rdp: number % 7 === 0,
      hibernate: number % 2 === 0,
      power_supply: number % 5 !== 0,
      installed: true,
      addresses: [address],
    },
    fingerprint: { machine_id: `simulated-${number}`, serial: `SIM${number}`, macs: [mac] },
    hardware: {
      ...emptyHardware,
      CPU: 'Simulated processor',
      CPUCores: 4,
      CPUCoresLogical: 8,
      ComputerIP: [address],
      ComputerName: name,
      NetAdapters: [adapterOf(mac, address)],
      OSName: systems[number % systems.length]!,
      RAMPhys: 8_192 * (1 + (number % 4)),
    },
  };
}

const adapterOf = (mac: string, address: string): Hardware['NetAdapters'][number] => ({
  Addresses: address,
  Cable: true,
  DCHP: '',
  DNS: '',
  MACAddress: mac,
  Manufacturer: '',
  Name: 'eth0',
  Speed: 1_000,
  WoL: true,
});
