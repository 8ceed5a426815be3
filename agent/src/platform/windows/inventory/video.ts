/** The graphics cards, and the monitors that show the desktop. */
import type { Hardware } from '@drawbridge/contract/hardware';
import { openRegistry, type RegistryKey } from '../api/registry.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { listOutputs, monitorAt } from '../screen/outputs.ts';
import { toMegabytes } from './megabytes.ts';

export const monitorsOf = (api: WindowsApi): Hardware['Monitors'] =>
  listOutputs(api).map((output) => ({
    Name: monitorAt(api, output.device) || output.device.replace('\\\\.\\', ''),
    ScreenHeight: output.height,
    ScreenWidth: output.width,
  }));

const drivers: RegistryKey = {
  root: 'machine',
  path: 'SYSTEM\\CurrentControlSet\\Control\\Class\\{4D36E968-E325-11CE-BFC1-08002BE10318}',
};

/** The drivers that have memory of their own, or else the cards that show the desktop. */
export function videoCardsOf(api: WindowsApi): Hardware['VideoCards'] {
  const registry = openRegistry(api);
  const installed = registry
    .children(drivers)
    .map((name): RegistryKey => ({ ...drivers, path: `${drivers.path}\\${name}` }))
    .map((key) => ({
      Name: registry.text(key, 'DriverDesc'),
      RAM: toMegabytes(
        registry.number(key, 'HardwareInformation.qwMemorySize') ??
          registry.number(key, 'HardwareInformation.MemorySize') ??
          0,
      ),
    }))
    .filter(({ Name }) => Name !== '');
  const shown = [...new Set(listOutputs(api).map(({ card }) => card))].map((Name) => ({ Name, RAM: 0 }));
  return (installed.length > 0 ? installed : shown).map((card) => ({
    Integrated: isIntegrated(card.Name),
    ...card,
  }));
}

/** Windows does not say it, but the names of graphics units inside processors follow these patterns. */
export const isIntegrated = (name: string): boolean =>
  /\bIntel\b(?!.*\bArc\b.*\bA\d)/i.test(name) || /\bRadeon(\(TM\))?( \w+)? Graphics\b/i.test(name);
