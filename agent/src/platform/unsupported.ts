/** The platform for systems that are not supported yet: reports what Node knows about the machine and refuses the rest. */
import { hostname, networkInterfaces, userInfo } from 'node:os';
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import { NotPossible, type Platform } from './platform.ts';

const systems: Record<string, 'win' | 'mac'> = { win32: 'win', darwin: 'mac' };

export function unsupported(system: NodeJS.Platform): Platform {
  const refuse = async (): Promise<never> => {
    throw new NotPossible(`This agent cannot do that on ${system} yet.`);
  };
  return {
    facts: async () => ({
      name: hostname(),
      os: systems[system] ?? 'linux',
      os_user: userInfo().username,
      rdp: false,
      hibernate: false,
      power_supply: true,
      addresses: Object.values(networkInterfaces()).flatMap((each) =>
        (each ?? []).filter((one) => !one.internal).map((one) => one.address),
      ),
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
    notify: async () => {},
    desktop: refuse,
    preload: async () => {},
    recover: async () => {},
  };
}
