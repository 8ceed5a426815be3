/** The platform for systems that are not supported yet: reports what Node knows about the machine and refuses the rest. */
import { hostname, userInfo } from 'node:os';
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import { addressesOf } from './inventory/addresses.ts';
import { NotPossible, type Platform } from './platform.ts';

const refusals: Partial<Record<NodeJS.Platform, string>> = {
  darwin:
    'The agent does not support macOS. Its user can share the screen in the browser, with an invitation of quick support.',
};

export function unsupported(system: NodeJS.Platform): Platform {
  const refuse = async (): Promise<never> => {
    throw new NotPossible(refusals[system] ?? `The agent does not support ${system}.`);
  };
  return {
    facts: async () => ({
      name: hostname(),
      os: system === 'darwin' ? 'mac' : 'linux',
      os_user: userInfo().username,
      rdp: false,
      hibernate: false,
      power_supply: true,
      addresses: addressesOf(),
    }),
    fingerprint: async () => ({ machine_id: '', serial: '', macs: [] }),
    hardware: async () => ({ ...emptyHardware, ComputerName: hostname() }),
    software: refuse,
    reboot: refuse,
    lock: refuse,
    wake: refuse,
    preview: refuse,
    files: refuse,
    shell: refuse,
    voice: refuse,
    sound: refuse,
    printer: refuse,
    notify: async () => {},
    desktop: refuse,
    preload: async () => {},
    recover: async () => {},
  };
}
