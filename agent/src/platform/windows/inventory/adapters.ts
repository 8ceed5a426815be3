/** The network adapters with their addresses, name servers and settings. */
import { networkInterfaces } from 'node:os';
import type { Hardware } from '@drawbridge/contract/hardware';
import { below, openRegistry, type Registry, type RegistryKey } from '../api/registry.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { listInterfaces, type NetworkInterface } from './interfaces.ts';

const settings: RegistryKey = {
  root: 'machine',
  path: 'SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters\\Interfaces',
};
const drivers: RegistryKey = {
  root: 'machine',
  path: 'SYSTEM\\CurrentControlSet\\Control\\Class\\{4D36E972-E325-11CE-BFC1-08002BE10318}',
};

/** Those that are hardware or have an address. */
export function adaptersOf(api: WindowsApi): Hardware['NetAdapters'] {
  const registry = openRegistry(api);
  const addresses = networkInterfaces();
  return listInterfaces(api)
    .filter(({ isLoopback }) => !isLoopback)
    .filter(({ isHardware, alias }) => isHardware || addresses[alias] !== undefined)
    .map((each) => ({
      Addresses: (addresses[each.alias] ?? []).map(({ address }) => address).join(', '),
      Cable: each.isWired,
      MACAddress: each.mac,
      Name: each.description || each.alias,
      Speed: each.megabits,
      ...networkOf(registry, each),
      ...driverOf(registry, each),
    }));
}

function networkOf(registry: Registry, { guid }: NetworkInterface): { DCHP: string; DNS: string } {
  const key = below(settings, guid);
  const servers = registry.text(key, 'NameServer') || registry.text(key, 'DhcpNameServer');
  return {
    DCHP: registry.number(key, 'EnableDHCP') === 1 ? registry.text(key, 'DhcpServer') || 'yes' : '',
    DNS: servers
      .split(/[\s,]+/)
      .filter((each) => each !== '')
      .join(', '),
  };
}

function driverOf(registry: Registry, { guid }: NetworkInterface): { Manufacturer: string; WoL: boolean } {
  const own = registry
    .children(drivers)
    .map((name) => below(drivers, name))
    .find((key) => registry.text(key, 'NetCfgInstanceId').toUpperCase() === guid);
  if (!own) return { Manufacturer: '', WoL: false };
  return {
    Manufacturer: registry.text(own, 'ProviderName'),
    WoL: registry.text(own, '*WakeOnMagicPacket') === '1',
  };
}
