/** Lists the installed programs, as "Apps & Features" shows them. */
import type { Software } from '@drawbridge/contract/uplink/facts';
import { below, openRegistry, type Registry, type RegistryKey } from '../api/registry.ts';
import { loadWindowsApi } from '../api/windows-api.ts';

const uninstall = 'Microsoft\\Windows\\CurrentVersion\\Uninstall';
/** The programs of all users: those of the system's own width, and 32-bit ones. */
const shared: readonly RegistryKey[] = ['SOFTWARE', 'SOFTWARE\\WOW6432Node'].map((path) => ({
  root: 'machine',
  path: `${path}\\${uninstall}`,
}));
const maxPrograms = 10_000;

export async function readSoftware(): Promise<Software> {
  const registry = openRegistry(await loadWindowsApi());
  const users = registry
    .children({ root: 'users', path: '' })
    .map((user): RegistryKey => ({ root: 'users', path: `${user}\\SOFTWARE\\${uninstall}` }));
  const found = [...shared, ...users]
    .flatMap((list) => registry.children(list).map((name) => below(list, name)))
    .flatMap((key) => programAt(registry, key) ?? []);
  const distinct = new Map(found.map((program) => [JSON.stringify(program), program]));
  return [...distinct.values()].slice(0, maxPrograms);
}

/** Undefined for components and updates, which "Apps & Features" does not show either. */
function programAt(registry: Registry, key: RegistryKey): Software[number] | undefined {
  const name = registry.text(key, 'DisplayName');
  const isComponent = registry.number(key, 'SystemComponent') === 1;
  if (name === '' || isComponent || registry.text(key, 'ParentKeyName') !== '') return undefined;
  return {
    name,
    version: registry.text(key, 'DisplayVersion'),
    publisher: registry.text(key, 'Publisher'),
    install_date: registry.text(key, 'InstallDate').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
  };
}
